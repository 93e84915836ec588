/** The floors of the house, and who stands on which. */

/** Folder under `mockserver/` → floor. A file imports its own floor or a lower one. */
export const FLOOR_OF_FOLDER: Readonly<Record<string, number>> = {
  ground: 0,
  store: 1,
  watch: 2,
  schema: 3,
  patch: 3,
  access: 4,
  admission: 4,
  registry: 5,
  http: 6,
  faults: 7,
  observe: 7,
  controllers: 7,
  control: 7,
  simulator: 7,
  facade: 8,
  cli: 8,
};

/** `mockserver/index.ts`, the one file that is a barrel. */
export const ENTRY = 'mockserver/index.ts';

/** Where built-in kinds are named: by their rules, and by the controllers that work on them. */
export const KINDS_FOLDERS: readonly string[] = ['mockserver/registry/kinds/', 'mockserver/controllers/'];

/**
 * The floor of a file. Shape: undefined for a folder that the plan does not know. `openapi/` stands between
 * watch (2) and schema (3): floors from 3 up import it, and it imports the ground alone.
 */
export function floorOf(path: string): number | undefined {
  if (path === ENTRY) return 8;
  if (path.startsWith('openapi/')) return 2.5;
  const folder = /^mockserver\/([^/]+)\//.exec(path)?.[1];
  return folder === undefined ? undefined : FLOOR_OF_FOLDER[folder];
}
