/** The well-known definitions and their objects, changed: objects of sound definitions, and definitions with their objects. */
import { join } from 'node:path';
import { ROOT } from '../programs/server.mjs';
import { fixtures } from '../crds/asked.mjs';
import { hostileSchema } from './hostile.mjs';
import { mutatedTimes } from './mutated.mjs';
import { sending } from './sending.mjs';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** One in so many changes a definition; the others change objects. */
const DEFINITIONS_SHARE = 8;

/** Shape: as sending; `count` is that of the changed documents, beside which a few more are sent. */
export async function fuzzCustom({ url, count, random }) {
  const { definitions, objects } = fixtures(join(ROOT, 'fixtures', 'crds'));
  const seeds = objects.map(({ crd, version, spec }) => {
    const definition = definitions.find((one) => one.metadata.name === crd);
    return { definition, object: objectOf(definition, version, spec) };
  });
  const donors = {
    objects: objects.flatMap(({ spec }) => Object.values(spec)),
    definitions: definitions.flatMap(({ spec }) =>
      Object.values(spec.versions[0].schema.openAPIV3Schema.properties),
    ),
  };
  const standing = new Set();
  return sending({
    url,
    count,
    async one(ask, number) {
      const seed = seeds[number < seeds.length ? number : random.below(seeds.length)];
      if (!standing.has(seed)) {
        standing.add(seed);
        await ask('POST', DEFINITIONS, seed.definition);
      }
      const changes = random.below(3) + 1;
      if (random.below(DEFINITIONS_SHARE) > 0) {
        const changed = mutatedTimes(changes, seed.object, random, donors.objects);
        await write(ask, random, pathOf(seed.definition, seed.object), changed);
        return;
      }
      await tryDefinition(
        ask,
        random,
        changedDefinition(seed, number, { changes, random, donors }),
        seed.object,
      );
    },
  });
}

/** A create or an update, mostly a dry run. */
async function write(ask, random, path, object) {
  const query = random.below(4) === 0 ? '' : '?dryRun=All';
  if (random.chance(0.5)) await ask('POST', path + query, object);
  else await ask('PUT', `${path}/fuzzed${query}`, object);
}

/** The definition under a group of its own, so that it can stand beside the others, its versions or its names changed. */
function changedDefinition({ definition }, number, { changes, random, donors }) {
  const own = structuredClone(definition);
  own.spec.group = `f${number}.${definition.spec.group}`;
  delete own.metadata.annotations;
  own.metadata.name = `${own.spec.names.plural}.${own.spec.group}`;
  own.metadata.annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' };
  if (random.chance(0.5)) {
    const { schema } = own.spec.versions[0];
    schema.openAPIV3Schema = hostileSchema(schema.openAPIV3Schema, random);
    return own;
  }
  const part = random.pick(['versions', 'versions', 'versions', 'names', 'spec']);
  if (part === 'spec') own.spec = mutatedTimes(changes, own.spec, random, donors.definitions);
  else own.spec[part] = mutatedTimes(changes, own.spec[part], random, donors.definitions);
  return own;
}

/** Installs a definition if the server will have it, sends it objects and takes it away. */
async function tryDefinition(ask, random, definition, object) {
  const { status, doc } = await ask('POST', DEFINITIONS, definition);
  if (status !== 201) return;
  for (const { name } of doc.spec.versions) {
    const own = { ...object, apiVersion: `${doc.spec.group}/${name}`, kind: doc.spec.names.kind };
    const path = pathOf(doc, own);
    await ask('POST', path, own);
    await write(ask, random, path, mutatedTimes(2, own, random, []));
    await ask('GET', path);
  }
  await ask('DELETE', `${DEFINITIONS}/${doc.metadata.name}`);
}

const objectOf = ({ spec: { group, names } }, version, spec) => ({
  apiVersion: `${group}/${version}`,
  kind: names.kind,
  metadata: { name: 'fuzzed' },
  spec,
});

const pathOf = ({ spec: { scope, names } }, { apiVersion }) =>
  `/apis/${apiVersion}${scope === 'Namespaced' ? '/namespaces/default' : ''}/${names.plural}`;
