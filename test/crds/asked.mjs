/** What a server makes of the well-known definitions in fixtures/crds and of their objects. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** @param folder fixtures/crds */
export function fixtures(folder) {
  const definitions = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml') && file !== 'objects.yaml')
    .sort()
    .map((file) => parse(readFileSync(join(folder, file), 'utf8')));
  return { definitions, objects: parse(readFileSync(join(folder, 'objects.yaml'), 'utf8')) };
}

const MASKED = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'generation']);

/** Without what differs from server to server. */
function shown({ status, doc }) {
  if (status >= 300) return { status, message: doc.message, causes: doc.details?.causes };
  const metadata = Object.fromEntries(Object.entries(doc.metadata).filter(([name]) => !MASKED.has(name)));
  return { status, object: { ...doc, metadata } };
}

const asked = async (send, method, path, body, type) => shown(await send(method, path, body, type));

/**
 * Installs the definitions, then creates, changes and deletes the objects.
 *
 * @param send `(method, path, body?, type?) => { status, doc }`
 * Shape: one entry per question, `{ what, answer }`, in a fixed order.
 */
export async function answersOf(send, { definitions, objects }, namespace) {
  const answers = [];
  const note = (what, answer) => answers.push({ what, answer });
  for (const definition of definitions) {
    const { status, doc } = await send(
      'POST',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      definition,
    );
    note(`create ${definition.metadata.name}`, status >= 300 ? { status, message: doc.message } : { status });
  }
  for (const { crd, version, spec, changes } of objects) {
    const { group, names } = definitions.find((one) => one.metadata.name === crd).spec;
    const path = `/apis/${group}/${version}/namespaces/${namespace}/${names.plural}`;
    await served(send, path);
    const object = { apiVersion: `${group}/${version}`, kind: names.kind, metadata: { name: 'known' }, spec };
    note(`${crd}: create`, await asked(send, 'POST', path, object));
    for (const change of changes) {
      const answer = await asked(
        send,
        'PATCH',
        `${path}/known?dryRun=All`,
        change,
        'application/json-patch+json',
      );
      note(`${crd}: ${JSON.stringify(change)}`, answer);
    }
    await send('DELETE', `${path}/known`);
  }
  return answers;
}

/** A real server takes some moments to serve what was just defined. */
async function served(send, path) {
  for (let tries = 0; tries < 200; tries++) {
    if ((await send('GET', path)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${path} is not served`);
}

export async function removeAll(send, { definitions }) {
  for (const { metadata } of definitions) {
    await send('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`);
  }
}
