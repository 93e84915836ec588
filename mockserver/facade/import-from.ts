/** What is known of a real cluster, from wherever it can be read. */
import { documentOf, readImport } from '../../openapi/imported/import-files.js';
import { type ImportedCluster, importedCluster } from '../../openapi/imported/imported-cluster.js';
import { type ImportedDocument } from '../../openapi/imported/imported-document.js';
import { connectionTo, isUrl } from './cluster-connection.js';
import { clusterDocuments, fetchText } from './cluster-documents.js';

/**
 * @param from a folder, a file, the URL of a document, or the URL of a cluster that lets everybody read
 * Errors: ImportError for a document that cannot be used; an Error that names the URL, when nobody answers there.
 */
export async function importFrom(from: string): Promise<ImportedCluster> {
  if (!isUrl(from)) return readImport(from);
  const answer = await fetchText({}, from, 'application/json');
  if (answer.code === 200 && isOpenApi(answer.text)) {
    return importedCluster(from, [documentOf(from, answer.text)]);
  }
  const documents: ImportedDocument[] = [];
  for (const { url, text } of await clusterDocuments(connectionTo(from), () => undefined))
    documents.push(documentOf(url, text));
  return importedCluster(from, documents);
}

/** The member that says so stands first in every such document. */
const isOpenApi = (text: string): boolean => /^\s*\{\s*"(swagger|openapi)"\s*:/.test(text);
