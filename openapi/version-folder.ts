/** Where the files about one Kubernetes version lie. */
import { existsSync } from 'node:fs';

/**
 * From openapi/ and dist/openapi/ the folder is beside this module, from dist/mockserver/bundle/ it is two floors up.
 *
 * Shape: the URL of the folder, with its last slash. It need not be there: who reads a file of it says which one is missing.
 */
export function versionFolder(version: string): URL {
  const beside = new URL(`./${version}/`, import.meta.url);
  return existsSync(beside) ? beside : new URL(`../../openapi/${version}/`, import.meta.url);
}
