// Reads and writes SGF with variations. A node is {props, children}; properties that mean nothing here are kept.

const MAX_NODES = 20000;

export class SgfError extends Error {}

// The first game of a text as a tree of {props: {B: ['ee']}, children: []}. Without recursion: games are deep.
export function parseSgf(text) {
  let at = text.indexOf('(');
  while (at >= 0 && !/^\(\s*;/.test(text.slice(at, at + 64))) at = text.indexOf('(', at + 1);
  if (at < 0) throw new SgfError('This is no SGF game record.');
  const top = { props: {}, children: [] };
  const branches = [];
  let node = top;
  let count = 0;
  while (at < text.length) {
    const sign = text[at];
    if (sign === '(') {
      branches.push(node);
      at += 1;
    } else if (sign === ')') {
      node = branches.pop();
      at += 1;
      if (!branches.length) return top.children[0];
    } else if (sign === ';') {
      const child = { props: {}, children: [] };
      node.children.push(child);
      node = child;
      count += 1;
      if (count > MAX_NODES) throw new SgfError('The game has too many moves for this page.');
      at += 1;
    } else if (/[A-Za-z]/.test(sign)) {
      at = readProperty(text, at, node.props);
    } else if (/\s/.test(sign)) {
      at += 1;
    } else {
      throw new SgfError(`'${sign}' stands at a wrong place in the file.`);
    }
  }
  throw new SgfError('The file ends in the middle of a game.');
}

function readProperty(text, start, props) {
  let at = start;
  while (/[A-Za-z]/.test(text[at] || '')) at += 1;
  const name = text.slice(start, at).replace(/[a-z]/g, '');
  const values = [];
  for (;;) {
    while (/\s/.test(text[at] || '')) at += 1;
    if (text[at] !== '[') break;
    let value = '';
    at += 1;
    while (text[at] !== ']') {
      if (at >= text.length) throw new SgfError('The file ends in the middle of a game.');
      if (text[at] === '\\') {
        at += 1;
        // An escaped line break is no line break.
        if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
        if (!/[\r\n]/.test(text[at] || '')) value += text[at] || '';
      } else {
        value += text[at];
      }
      at += 1;
    }
    values.push(value);
    at += 1;
  }
  if (!values.length) throw new SgfError(`${name || 'A name'} has no value.`);
  // Old files write names in small letters too, which do not count; a name of them alone is none.
  if (name) props[name] = (props[name] || []).concat(values);
  return at;
}

function escapeValue(value) {
  return String(value).replace(/[\\\]]/g, '\\$&');
}

function writeNode(props) {
  const parts = Object.entries(props).filter(([, values]) => values.length);
  return `;${parts.map(([name, values]) => name + values.map((value) => `[${escapeValue(value)}]`).join('')).join('')}`;
}

// A tree as text. `propsOf` gives the properties of a node.
export function writeSgf(root, propsOf) {
  const out = ['('];
  const work = [root];
  while (work.length) {
    const next = work.pop();
    if (typeof next === 'string') {
      out.push(next);
      continue;
    }
    out.push(writeNode(propsOf(next)));
    if (next.children.length === 1) {
      work.push(next.children[0]);
    } else {
      for (const child of [...next.children].reverse()) work.push(')', child, '\n(');
    }
  }
  out.push(')\n');
  return out.join('');
}

// Text in the encoding that the file names; without a name it is UTF-8, or else Latin-1, as the format has it.
export function decodeSgf(bytes) {
  const latin = new TextDecoder('latin1');
  const named = /CA\[\s*([\w:.-]+)\s*\]/.exec(latin.decode(bytes.slice(0, 4096)));
  try {
    return new TextDecoder(named ? named[1] : 'utf-8', { fatal: !named }).decode(bytes);
  } catch {
    return latin.decode(bytes);
  }
}
