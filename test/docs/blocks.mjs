/** The code blocks of a Markdown page, with what the comments before them say of how they are run. Pure. */
import { stripVTControlCharacters } from 'node:util';

const FENCE = /^(`{3,})(\w*)\n([^]*?)^\1$/gm;
/** `<!-- docs: within server; exits 3 -->` before a block, `<!-- docs, from here: … -->` for all that follow. */
const COMMENT = /<!-- docs(, from here)?: ([^]*?) -->/g;
/** A first line that names a file: `// widgets.test.js`, `# plan.yaml`, `<!-- pom.xml -->`. */
const FILE = /^(?:\/\/|#|<!--) ([\w./-]+\.\w+|Dockerfile)(?: -->)?$/;

/** What a comment may say, with how much belongs to it: nothing, what is before a semicolon, or all the rest. */
const NOTES = { within: 1, needs: 1, exits: 1, serves: 0, beside: 0, before: Infinity, 'not-run': Infinity };

/**
 * Shape: in their order; `file` where the first line names one, `notes` by name.
 * Errors: an Error with the line of a comment that says what nobody knows.
 *
 * @returns {{line: number, language: string, code: string, file?: string, notes: Record<string, string>}[]}
 */
export function blocksOf(text) {
  const marks = [
    ...[...text.matchAll(FENCE)].map((found) => ({ at: found.index, fence: found })),
    ...[...text.matchAll(COMMENT)].map((found) => ({ at: found.index, comment: found })),
  ].sort((a, b) => a.at - b.at);
  const blocks = [];
  let always = {};
  let next = {};
  let end = 0;
  for (const { at, fence, comment } of marks) {
    if (at < end) continue; // a comment that a block shows
    const line = text.slice(0, at).split('\n').length;
    if (comment !== undefined) {
      const notes = notesOf(comment[2], line);
      if (comment[1] === undefined) next = notes;
      else always = notes;
      continue;
    }
    end = at + fence[0].length;
    const [, , language, code] = fence;
    const file = FILE.exec(code.split('\n', 1)[0] ?? '')?.[1];
    const notes = { ...always, ...next };
    blocks.push({ line, language, code, ...(file === undefined ? {} : { file }), notes });
    next = {};
  }
  return blocks;
}

function notesOf(text, line) {
  const notes = {};
  for (let rest = text.trim(); rest !== '';) {
    const [, name = '', after = ''] = /^([\w-]*):?\s*([^]*)$/.exec(rest) ?? [];
    const count = NOTES[name];
    if (count === undefined) throw new Error(`line ${line}: nobody knows what "${rest}" means`);
    const end = count === Infinity || !after.includes(';') ? after.length : after.indexOf(';');
    notes[name] = after.slice(0, end).trim();
    if ((notes[name] === '') !== (count === 0))
      throw new Error(`line ${line}: "${name}" needs ${count === 0 ? 'nothing' : 'something'} after it`);
    rest = after.slice(end + 1).trim();
  }
  return notes;
}

/** The commands of a `console` block with what each is said to print. */
export function sessionsOf(code) {
  const sessions = [];
  for (const line of code.replace(/\n$/, '').split('\n')) {
    if (line.startsWith('$ ')) sessions.push({ command: line.slice(2), output: '' });
    else if (line.startsWith('> ') && sessions.at(-1)?.output === '')
      sessions.at(-1).command += `\n${line.slice(2)}`;
    else if (sessions.length > 0) sessions.at(-1).output += `${line}\n`;
  }
  return sessions;
}

/**
 * The first line that is said to be printed and is not, after those before it; `…` stands for anything.
 *
 * Shape: undefined where all are.
 */
export function missingLine(said, printed) {
  const lines = printed.split('\n').map(tidy);
  let from = 0;
  for (const line of said.split('\n').map(tidy)) {
    if (line === '' || line === '…') continue;
    const at = lines.findIndex((one, i) => i >= from && fits(one, line));
    if (at < 0) return line;
    from = at + 1;
  }
  return undefined;
}

const tidy = (line) => stripVTControlCharacters(line).trim().replaceAll(/\s+/g, ' ');

function fits(line, pattern) {
  const parts = pattern.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(line);
}
