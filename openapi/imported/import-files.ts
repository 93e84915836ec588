/** Reads what was imported from a real cluster: a folder of documents, or one document. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonValue } from '../../mockserver/ground/json.js';
import { writeJson } from '../../mockserver/ground/json-write.js';
import { readYamlDocuments } from '../../mockserver/ground/yaml.js';
import { type ImportedCluster, importedCluster } from './imported-cluster.js';
import { ImportError, type ImportedDocument, recognised } from './imported-document.js';

const FILE = /\.(json|ya?ml)$/i;

/**
 * The cluster that a folder (searched to any depth) or a file tells of. Each file is known by what it holds.
 *
 * Errors: ImportError that names the file and the path in it.
 */
export function readImport(path: string): ImportedCluster {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new ImportError(path, '', 'there is no such file or folder (ENOENT)');
  const files = found.isDirectory() ? filesIn(path) : [path];
  if (files.length === 0) throw new ImportError(path, '', 'no JSON or YAML file in this folder');
  return importedCluster(path, files.flatMap(documentsIn));
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : FILE.test(entry.name) ? [path] : [];
    });

function documentsIn(file: string): readonly ImportedDocument[] {
  const text = readFileSync(file, 'utf8');
  if (/\.json$/i.test(file)) return [documentOf(file, text)];
  const reading = readYamlDocuments(text);
  if (!reading.ok) throw new ImportError(file, '', reading.error);
  return reading.documents
    .filter(({ value }) => value !== null)
    .map(({ value, line }) => recognised(`${file}:${line}`, value, writeJson(value)));
}

/** One JSON text. @param source file or URL. Errors: ImportError */
export function documentOf(source: string, text: string): ImportedDocument {
  let value: JsonValue;
  try {
    // Numbers of these documents are small, and a key that stands twice means nothing in them.
    value = JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new ImportError(source, '', cause instanceof Error ? cause.message : String(cause));
  }
  return recognised(source, value, text);
}
