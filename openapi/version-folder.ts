/** Where the files about one Kubernetes version lie. */
import { existsSync } from 'node:fs';

/** From openapi/ and dist/openapi/, and from dist/mockserver/bundle/. */
const FOLDERS = ['./', '../../openapi/'];

/** Shape: the URL of the folder, with its last slash. It need not be there: who reads a file of it says which one is missing. */
export function versionFolder(version: string): URL {
  const found = FOLDERS.map((folder) => new URL(`${folder}${version}/`, import.meta.url));
  return found.find((url) => existsSync(url)) ?? new URL(`./${version}/`, import.meta.url);
}
