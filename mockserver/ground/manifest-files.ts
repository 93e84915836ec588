/** Files of objects, as they are named on command lines: one by one, or by the folder they are in. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MANIFEST = /\.(ya?ml|json)$/i;

/**
 * A file itself; of a folder the YAML and JSON files at any depth, in the order of their names.
 *
 * Errors: a RangeError that names a path that is not there.
 */
export function manifestFiles(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new RangeError(`load: ${path}: there is no such file or folder (ENOENT)`);
  if (!found.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = join(path, entry.name);
      return entry.isDirectory() ? manifestFiles(inner) : MANIFEST.test(entry.name) ? [inner] : [];
    });
}
