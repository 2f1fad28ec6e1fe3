// Talks to tengen. Answers come in lines of JSON; hanging up ends the search.

const BROKEN = 'The connection to tengen broke.';

async function send(name, options) {
  let response;
  try {
    response = await fetch(`api/${name}`, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Error('tengen does not answer: is `tengen web` still running?');
  }
  if (!response.ok) throw new Error((await response.json().catch(() => ({}))).error ?? BROKEN);
  return response;
}

export async function get(name) {
  return (await send(name, {})).json();
}

export async function post(name, body) {
  return (await send(name, request(body))).json();
}

// The bytes of a file of the folder.
export async function load(name) {
  return (await send('load', request({ name }))).arrayBuffer();
}

function request(body, signal) {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal };
}

// Asks and hears every line; the last one is the answer.
export async function ask(name, body, { onLine = () => {}, signal } = {}) {
  const response = await send(name, request(body, signal));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let last = null;
  for (;;) {
    let piece;
    try {
      piece = await reader.read();
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      throw new Error(BROKEN);
    }
    if (piece.done) break;
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      last = JSON.parse(line);
      if (last.error) throw new Error(last.error);
      onLine(last);
    }
  }
  if (!last) throw new Error(BROKEN);
  return last;
}
