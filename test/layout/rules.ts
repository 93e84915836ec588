/** The layout rules: each takes the files and answers one sentence per violation. */
import { ENTRY, KINDS_FOLDERS, floorOf } from './floors.js';
import { type SourceFile } from './source-file.js';

export type Rule = (files: readonly SourceFile[]) => readonly string[];

const isOurs = (target: string): boolean => target.startsWith('mockserver/') || target.startsWith('openapi/');

/** Every file is on a floor of the plan. */
export const unplannedFolders: Rule = (files) =>
  files
    .filter(({ path }) => floorOf(path) === undefined)
    .map(({ path }) => `${path} is on no floor of the plan`);

/** A file imports its own floor or a lower one; `openapi/` imports the ground alone. */
export const upwardEdges: Rule = (files) =>
  files.flatMap(({ path, imports }) => {
    const own = floorOf(path);
    return imports.flatMap(({ target, line }) => {
      const floor = floorOf(target);
      if (own === undefined || floor === undefined) return [];
      const highest = path.startsWith('openapi/') && !target.startsWith('openapi/') ? 0 : own;
      return floor > highest ? [`${path}:${line} (floor ${own}) imports ${target} (floor ${floor})`] : [];
    });
  });

/** No file reaches itself through imports; one sentence per knot of files that reach each other. */
export const cycles: Rule = (files) => {
  const edges = new Map(
    files.map(({ path, imports }) => [path, imports.map(({ target }) => target).filter(isOurs)]),
  );
  const reach = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [...(edges.get(from) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(edges.get(next) ?? []));
    }
    return seen;
  };
  const reached = new Map(files.map(({ path }) => [path, reach(path)]));
  const knots = files
    .filter(({ path }) => reached.get(path)?.has(path) === true)
    .map(({ path }) =>
      files
        .map((other) => other.path)
        .filter((other) => reached.get(path)?.has(other) === true && reached.get(other)?.has(path) === true)
        .join(' <-> '),
    );
  return [...new Set(knots)].map((knot) => `cycle: ${knot}`);
};

/** Only the entry hands on other files' exports, and no folder has an index. */
export const barrels: Rule = (files) =>
  files
    .filter(({ path }) => path !== ENTRY)
    .flatMap(({ path, reExports }) => [
      ...(path.endsWith('/index.ts') ? [`${path} is a folder barrel`] : []),
      ...reExports.map((line) => `${path}:${line} hands on another file's exports`),
    ]);

/** Parts of the name of a file or folder that say nothing about what is in it. */
const EMPTY_WORDS = /^(managers?|helpers?|utils?|data|process|handle)$/;

/** Names are kebab-case nouns that say something. */
export const fileNames: Rule = (files) =>
  files.flatMap(({ path }) => {
    const empty = path
      .replace(/(\.test)?\.ts$/, '')
      .split(/[/-]/)
      .filter((word) => EMPTY_WORDS.test(word));
    const name = path.slice(path.lastIndexOf('/') + 1);
    return [
      ...empty.map((word) => `${path}: "${word}" is not a name`),
      ...(/^[a-z0-9]+([-.][a-z0-9]+)*\.ts$/.test(name) ? [] : [`${path} is not in kebab-case`]),
    ];
  });

/** Packages that one or two files know, so that they can be replaced. */
const NARROW = ['express', 'ajv', 'ajv-formats', 'yaml', 'node:http', 'node:https', 'node:http2'];

/** Each of the narrow packages is imported by two files at the most. */
export const narrowImports: Rule = (files) =>
  NARROW.flatMap((name) => {
    const importers = files
      .filter(({ imports }) => imports.some(({ target }) => target === name || target.startsWith(`${name}/`)))
      .map(({ path }) => path);
    return importers.length > 2
      ? [`${name} is imported by ${importers.length} files: ${importers.join(', ')}`]
      : [];
  });

/** The product knows no client, no test runner and none of the repository's other folders. */
export const foreignImports: Rule = (files) =>
  files.flatMap(({ path, imports }) =>
    imports
      .filter(
        ({ target }) =>
          /^(@kubernetes\/|@jest\/|jest$|jest-|vitest|supertest|fast-check)/.test(target) ||
          /^(\.\.|fixtures|test|examples|scripts)\//.test(target),
      )
      .map(({ target, line }) => `${path}:${line} imports ${target}`),
  );

const CLOCKS = ['Date', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'Math.random'];
const TIME_MODULES = ['node:timers', 'node:timers/promises', 'node:perf_hooks', 'timers', 'timers/promises'];

/** Time and chance come from the ground floor alone. */
export const timeAndChance: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('mockserver/') && floorOf(path) !== 0)
    .flatMap(({ path, values, imports }) => [
      ...values
        .filter(({ text }) => CLOCKS.includes(text))
        .map(({ text, line }) => `${path}:${line} uses ${text}`),
      ...imports
        .filter(({ target }) => TIME_MODULES.includes(target))
        .map(({ target, line }) => `${path}:${line} imports ${target}`),
      ...imports
        .filter(({ target }) => target === 'node:crypto')
        .flatMap(({ names, line }) =>
          names.filter((name) => name.startsWith('random')).map((name) => `${path}:${line} imports ${name}`),
        ),
    ]);

export interface AllowedWord {
  readonly word: string;
  /** Start of the paths in which it may be named. */
  readonly under: string;
  readonly why: string;
}

/** Built-in kinds and plurals are quoted in registry/kinds/ and controllers/ alone, but for the allowed words. */
export function namedKinds(builtIn: ReadonlySet<string>, allowed: readonly AllowedWord[]): Rule {
  return (files) =>
    files
      .filter(
        ({ path }) =>
          path.startsWith('mockserver/') && !KINDS_FOLDERS.some((folder) => path.startsWith(folder)),
      )
      .flatMap(({ path, literals }) =>
        literals
          .filter(({ text }) => builtIn.has(text))
          .filter(({ text }) => !allowed.some(({ word, under }) => word === text && path.startsWith(under)))
          .map(({ text, line }) => `${path}:${line} names '${text}'`),
      );
}

/** What only a POSIX system has. */
const POSIX_MEMBERS = [
  'getuid',
  'geteuid',
  'getgid',
  'getegid',
  'getgroups',
  'setuid',
  'setgid',
  'umask',
].map((name) => `process.${name}`);
const POSIX_TEXTS = [
  /^\/(tmp|dev|proc|sys|etc|home|usr|bin|var|opt|root)(\/|$)/,
  // The others are sent and caught on Windows too, if only within Node.
  /^SIG(?!INT$|TERM$)[A-Z]+\d*$/,
  /^(sh|bash|zsh)$/,
];

/** Modules through which a file has to do with the machine: elsewhere `/tmp` is a path in a container. */
const MACHINE = ['node:fs', 'node:fs/promises', 'node:path', 'node:os', 'node:child_process'];

/** Nothing is asked of the machine that Windows does not have, and paths are put together by `join`. */
export const posixOnly: Rule = (files) =>
  files.flatMap(({ path, imports, values, literals, templates }) => {
    const told = (word: { readonly line: number }, what: string): string => `${path}:${word.line} ${what}`;
    const ofMachine = imports.filter(({ target }) => MACHINE.includes(target));
    const functions = ofMachine.flatMap(({ names }) => names);
    return [
      ...values
        .filter(({ text }) => POSIX_MEMBERS.includes(text))
        .map((one) => told(one, `asks for ${one.text}`)),
      ...ofMachine
        .filter(({ names }) => names.includes('posix'))
        .map((one) => told(one, 'takes paths for those of POSIX')),
      ...(ofMachine.length === 0 ? [] : literals)
        .filter(({ text }) => POSIX_TEXTS.some((pattern) => pattern.test(text)))
        .map((one) => told(one, `names ${one.text}`)),
      ...templates
        .filter(({ text, givenTo }) => functions.includes(givenTo) && /\}\/|\/\$\{/.test(text))
        .map((one) => told(one, `joins a path by a slash: ${one.text}`)),
    ];
  });
