/** `import`: what a running cluster tells of its API, written into a folder that `--openapi` takes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connectionOf, connectionTo, isUrl } from '../facade/cluster-connection.js';
import { clusterDocuments } from '../facade/cluster-documents.js';

export interface ImportSettings {
  /** A kubeconfig, or the address of a cluster that lets everybody read. */
  readonly from: string;
  readonly context?: string;
  /** A folder. */
  readonly out: string;
}

/**
 * Shape: the number of documents written.
 * Errors: an Error that names the kubeconfig or the address, and what is wrong with it.
 */
export async function importCluster({ from, context, out }: ImportSettings): Promise<number> {
  const connection = isUrl(from) ? connectionTo(from) : connectionOf(from, context);
  const documents = await clusterDocuments(connection, (message) => {
    process.stderr.write(`kube-mockserver: ${message}\n`);
  });
  for (const { file, text } of documents) {
    const path = join(out, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return documents.length;
}
