/** Removes what an episode made, so that the next one finds the servers as they were. */
import { parsed } from './play.mjs';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * @param {ReturnType<import('./connection.mjs').connect>} server
 * @param {readonly import('./play.mjs').Step[]} steps
 * @param {string} prefix
 */
export async function tidy(server, steps, prefix) {
  const collections = new Set();
  for (const { method, path } of steps) {
    if (method !== 'POST' && method !== 'PATCH') continue;
    const found = /^(\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/(?:namespaces\/[^/]+\/)?[a-z]+)(?=\/|\?|$)/.exec(
      path.replaceAll('{{p}}', prefix),
    );
    if (found !== null && found[1] !== '/api/v1/namespaces' && found[1] !== DEFINITIONS)
      collections.add(found[1]);
  }
  for (const collection of collections) await empty(server, collection, prefix);
  const defined = await empty(server, DEFINITIONS, prefix);
  for (let tries = 0; defined > 0 && tries < 250; tries += 1) {
    const documents = await Promise.all(['/apis', '/openapi/v3'].map((path) => server.send('GET', path)));
    if (documents.every(({ text }) => !text.includes(prefix))) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const { metadata } of await itemsOf(server, '/api/v1/namespaces')) {
    if (!metadata.name.startsWith(prefix)) continue;
    const path = `/api/v1/namespaces/${metadata.name}`;
    await server.send('DELETE', path);
    const left = parsed((await server.send('GET', path)).text);
    if (left?.kind === 'Namespace')
      await server.send('PUT', `${path}/finalize`, JSON_TYPE, JSON.stringify({ ...left, spec: {} }));
  }
}

async function empty(server, collection, prefix) {
  const namespaced = collection.includes('/namespaces/');
  let removed = 0;
  for (const { metadata } of await itemsOf(server, collection)) {
    if (!namespaced && !metadata.name.includes(prefix)) continue;
    removed += 1;
    const path = `${collection}/${encodeURIComponent(metadata.name)}`;
    await server.send('DELETE', `${path}?gracePeriodSeconds=0&propagationPolicy=Background`);
    if (metadata.finalizers !== undefined)
      await server.send('PATCH', path, MERGE, JSON.stringify({ metadata: { finalizers: null } }));
  }
  return removed;
}

const itemsOf = async (server, path) => parsed((await server.send('GET', path)).text)?.items ?? [];
