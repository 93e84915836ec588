/** Writes of objects made from the schema, sound and spoiled, over all kinds of the resource table. */
import { edited } from './edits.mjs';
import { KINDS, collectionPath } from './kinds.mjs';
import { spoiledMore } from './mutations.mjs';
import { growth } from './schema-objects.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };
const STRICTNESS = ['', '', '', '&fieldValidation=Strict', '&fieldValidation=Ignore'];
/** How often a chosen value lies at a boundary. */
const EDGE = 0.2;

/**
 * A minimal object of a kind and some of what it may have besides.
 * @param {import('./random.mjs').Random} random
 * @param {import('./kind-row.mjs').Kind} kind
 */
export function schemaObject(random, kind, name) {
  const object = {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: kind.review ? {} : { name: kind.named ?? name },
    ...kind.object,
  };
  return grown(random, kind, object);
}

/** @returns {any} a copy of the object that has more: nothing, a few fields, or a whole branch */
export function grown(random, kind, object) {
  const how = { edge: random.chance(0.5) ? 0 : EDGE, full: random.chance(0.06) };
  const count = how.full ? 1 : random.weighted({ 0: 2, 1: 5, 2: 3, 3: 1 });
  return growth(random, kind, object, Number(count), how).reduce(
    (value, [path, to]) => edited(value, path, to),
    object,
  );
}

/** One write of a new object, or a new object with changes of it. @param {import('./random.mjs').Random} random */
export function validationSteps(random, namespace) {
  const kind = random.pick(KINDS);
  const name = `${kind.namespaced ? '' : '{{p}}'}v${random.below(1000)}`;
  const path = collectionPath(kind, namespace);
  const strict = () => random.pick(STRICTNESS);
  const bodyOf = (object) => (random.chance(0.3) ? spoiledMore(random, object) : { json: object });
  const object = schemaObject(random, kind, name);
  const create = {
    method: 'POST',
    path: `${path}?dryRun=All${strict()}`,
    headers: JSON_TYPE,
    body: bodyOf(object),
  };
  if (kind.weight === 0 || random.chance(0.6)) return [create];
  const first = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name }, ...kind.object };
  const update = () => ({
    method: 'PUT',
    path: `${path}/${name}?dryRun=All${strict()}`,
    headers: JSON_TYPE,
    body: bodyOf(grown(random, kind, random.chance(0.5) ? first : changed(random, kind, first))),
  });
  return [
    { method: 'POST', path, headers: JSON_TYPE, body: { json: first } },
    ...Array.from({ length: 1 + random.below(3) }, update),
  ];
}

/** Another value somewhere, which a kind may refuse to change. */
function changed(random, kind, object) {
  const [path, values] = random.pick(kind.changes) ?? [
    ['metadata', 'labels', 'app'],
    ['a', 'b'],
  ];
  return edited(object, path, random.pick(values));
}
