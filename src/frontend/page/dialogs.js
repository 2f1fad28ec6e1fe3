// The dialogs: new game, open, save, help; and the line of text that appears for a moment.

import { element } from './review.js';

let hiding = 0;

export function tell(text) {
  const box = document.getElementById('message');
  box.textContent = text;
  box.classList.add('shown');
  clearTimeout(hiding);
  hiding = setTimeout(() => box.classList.remove('shown'), 4500);
}

// Shows a dialog and gives what its button says, or null.
function show(title, content, buttons) {
  return new Promise((resolve) => {
    const heading = element('h2', '', title);
    heading.id = 'dialog-title';
    const form = element('form', '', heading, content);
    form.method = 'dialog';
    const dialog = element('dialog', '', form);
    dialog.setAttribute('aria-labelledby', heading.id);
    const row = element('div', 'dialog-buttons');
    for (const { name, value, primary } of buttons) {
      const button = element('button', primary ? 'primary' : '', name);
      // Enter in a field means the primary one, and the others need no sensible fields.
      Object.assign(button, { value, type: primary ? 'submit' : 'button' });
      if (!primary) button.addEventListener('click', () => dialog.close(value));
      row.append(button);
    }
    form.append(row);
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
    document.body.append(dialog);
    dialog.showModal();
    // The first key that is pressed starts the game, saves the file, closes the help.
    row.querySelector('.primary')?.focus();
  });
}

function field(fields, name, input) {
  const label = element('label', '', name);
  if (input.matches('.choice')) {
    input.setAttribute('role', 'radiogroup');
    input.setAttribute('aria-label', name);
  } else {
    input.id = `field-${name.replace(/\W/g, '')}`;
    label.htmlFor = input.id;
  }
  fields.append(label, input);
  return label;
}

function select(options, chosen) {
  const box = element('select', '');
  for (const [value, name] of options) box.append(new Option(name, value, false, String(value) === String(chosen)));
  return box;
}

function choice(name, options, chosen) {
  const box = element('div', 'choice');
  for (const [value, text] of options) {
    const input = element('input', '');
    Object.assign(input, { type: 'radio', name, value, checked: String(value) === String(chosen) });
    box.append(element('label', '', input, element('span', '', text)));
  }
  return box;
}

const CLOCKS = [['none', 'No clock'], ['60+10', '1 min, then 10 s a move'], ['300+20', '5 min, then 20 s a move'], ['600+30', '10 min, then 30 s a move'], ['1200+30', '20 min, then 30 s a move'], ['300+0', '5 min, sudden death']];

const RULES = [['chinese', 'Chinese (area)'], ['japanese', 'Japanese (territory)'], ['aga', 'AGA'], ['new-zealand', 'New Zealand'], ['tromp-taylor', 'Tromp-Taylor']];

export function rulesInWords(rules) {
  const found = RULES.find(([name]) => name === rules);
  return found ? found[1].replace(/ \(.*/, '') : rules;
}

export function usualKomi(rules, size, handicap) {
  if (handicap >= 2) return 0.5;
  if (/japanese|korean/.test(rules)) return size > 9 ? 6.5 : 5.5;
  return 7.5;
}

// Asks for the settings of a new game; null if it is not wanted.
export async function askNewGame(strengths, before, hasMoves) {
  const fields = element('div', 'fields');
  const levels = strengths.map(({ name, label }) => [name, label]);
  const size = choice('size', [[9, '9×9'], [13, '13×13'], [19, '19×19']], before.size);
  const role = choice('role', [['black', 'Black'], ['white', 'White'], ['both', 'Both'], ['watch', 'Watch']], before.role);
  const level = select(levels, before.level);
  const other = select(levels, before.otherLevel);
  const handicap = select([[0, 'None'], ...[2, 3, 4, 5, 6, 7, 8, 9].map((stones) => [stones, `${stones} stones`])], before.handicap);
  const komi = element('input', '');
  Object.assign(komi, { type: 'number', step: 0.5, min: -200, max: 200, value: before.komi });
  const rules = select(RULES, before.rules);
  const clock = select(CLOCKS, before.clock);
  field(fields, 'Board', size);
  field(fields, 'You play', role);
  field(fields, 'tengen', level);
  const otherLabel = field(fields, 'tengen (White)', other);
  field(fields, 'Handicap', handicap);
  field(fields, 'Komi', komi);
  field(fields, 'Rules', rules);
  field(fields, 'Clock', clock);
  const chosen = (box) => box.querySelector('input:checked').value;
  const update = () => {
    const watching = chosen(role) === 'watch';
    otherLabel.hidden = !watching;
    other.hidden = !watching;
    level.disabled = chosen(role) === 'both';
  };
  const resetKomi = () => {
    komi.value = usualKomi(rules.value, Number(chosen(size)), Number(handicap.value));
  };
  role.addEventListener('change', update);
  for (const box of [size, rules, handicap]) box.addEventListener('change', resetKomi);
  update();
  const content = element('div', '', fields);
  if (hasMoves) content.append(element('p', 'muted', 'The game on the board ends. Save it first if you want to keep it.'));
  const answer = await show('New game', content, [{ name: 'Cancel', value: '' }, { name: 'Start', value: 'start', primary: true }]);
  if (answer !== 'start') return null;
  // An empty field is no number.
  const points = komi.value === '' ? usualKomi(rules.value, Number(chosen(size)), Number(handicap.value)) : Number(komi.value);
  return {
    size: Number(chosen(size)), role: chosen(role), level: level.value, otherLevel: other.value, handicap: Number(handicap.value),
    komi: Math.round(points * 2) / 2, rules: rules.value, clock: clock.value,
  };
}

// Asks for a file; gives {file} from this computer or {name} of the server's folder.
export function askOpen(names) {
  return new Promise((resolve) => {
    const content = element('div', '');
    const input = element('input', '');
    Object.assign(input, { type: 'file', accept: '.sgf,application/x-go-sgf' });
    content.append(element('label', 'muted', 'An SGF file of this computer:', input));
    let picked = null;
    if (names) {
      const list = element('div', 'file-list');
      for (const name of names) {
        const button = element('button', '', name);
        button.type = 'button';
        button.addEventListener('click', () => {
          picked = { name };
          button.closest('dialog').close('picked');
        });
        list.append(button);
      }
      content.append(element('p', 'muted', names.length ? 'Or one of the folder:' : 'The folder has no games yet.'), list);
    }
    input.addEventListener('change', () => {
      picked = { file: input.files[0] };
      input.closest('dialog').close('picked');
    });
    show('Open a game', content, [{ name: 'Cancel', value: '' }]).then((answer) => resolve(answer === 'picked' ? picked : null));
  });
}

// Asks for a name; gives {name, where: 'download' or 'folder'}.
export async function askSave(suggested, hasFolder) {
  const name = element('input', '');
  Object.assign(name, { type: 'text', value: suggested, maxLength: 100 });
  const content = element('div', 'fields');
  field(content, 'Name', name);
  const buttons = [{ name: 'Cancel', value: '' }, { name: 'Download', value: 'download', primary: !hasFolder }];
  if (hasFolder) buttons.push({ name: 'Save in the folder', value: 'folder', primary: true });
  const where = await show('Save the game', content, buttons);
  const text = name.value.trim() || suggested;
  return where ? { name: /\.sgf$/i.test(text) ? text : `${text}.sgf`, where } : null;
}

export async function askYesNo(title, sentence, yes) {
  const answer = await show(title, element('p', '', sentence), [{ name: 'Cancel', value: '' }, { name: yes, value: 'yes', primary: true }]);
  return answer === 'yes';
}

const KEYS = [['← →', 'one move back, forward'], ['↑ ↓', 'another variation'], ['Home End', 'first, last position'], ['space', 'live search on or off'], ['u', 'take back'], ['h', 'hint'], ['s', 'score'], ['p', 'pass'], ['n', 'new game'], ['tab', 'to the buttons, and to the board: there the arrows choose a point and Enter plays']];

export function showHelp(version) {
  const rules = element('div', '');
  for (const text of [
    'Click where lines cross to place a stone. Stones without a free point beside them are captured.',
    'Whoever surrounds more of the board wins. When nothing is left to play, both pass and the board is counted.',
    'Go back and play elsewhere to try a variation: the game before is kept.',
  ]) rules.append(element('p', '', text));
  const keys = element('div', 'keys');
  for (const [key, text] of KEYS) keys.append(element('kbd', '', key), element('span', '', text));
  rules.append(keys, element('p', 'muted', `tengen ${version}`));
  return show('How to play', rules, [{ name: 'Close', value: '', primary: true }]);
}
