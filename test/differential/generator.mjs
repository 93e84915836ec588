/** Makes scenarios: one episode is a short life in two namespaces of its own, from a seed and nothing else. */
import { DEFINITIONS, definedVersion, definitionOf } from './custom-kinds.mjs';
import { Definition } from './definition-changes.mjs';
import { discoverySteps, negotiationSteps } from './other-requests.mjs';
import { edited } from './edits.mjs';
import { KINDS, collectionPath } from './kinds.mjs';
import { spoiled } from './mutations.mjs';
import { inProtobuf } from './protobuf-steps.mjs';
import { seededRandom } from './random.mjs';
import { grown, validationSteps } from './validation-steps.mjs';

/** Areas with the share of steps that begin there. */
export const AREAS = {
  create: 16,
  get: 6,
  list: 14,
  watch: 8,
  'watch-list': 6,
  update: 11,
  patch: 12,
  apply: 10,
  delete: 9,
  subresources: 7,
  crd: 4,
  validation: 14,
  protobuf: 10,
  discovery: 3,
  negotiation: 4,
};
/** Issued also when they were not asked for: without writes there is nothing to read. */
const SUPPORT = { create: 10, update: 4, patch: 3, delete: 2 };

const NAMES = ['a', 'a-b', 'b', 'c', 'd'];
const MANAGERS = ['alpha', 'beta', 'gamma'];
const JSON_TYPE = { 'content-type': 'application/json' };
const SPOILED_SHARE = 0.14;

/** Accept headers of clients, with their weights. */
const ACCEPTS = {
  '': 82,
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json': 8,
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json': 5,
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json': 3,
  'application/yaml': 3,
};

/**
 * The steps of one episode.
 * @param {{ seed: number | string, index: number, steps: number, areas: readonly string[] }} options steps: about how many
 * @returns {import('./play.mjs').Step[]}
 */
export function episode({ seed, index, steps: wanted, areas }) {
  const random = seededRandom(seed, index);
  const steps = [];
  const push = (area, step) => {
    const id = steps.length;
    steps.push({ id, area, op: 'request', ...step });
    return id;
  };
  const weights = Object.fromEntries(
    Object.keys(AREAS).map((area) => [area, areas.includes(area) ? AREAS[area] : (SUPPORT[area] ?? 0)]),
  );
  const life = new Life(random, push);
  life.begin(areas.includes('crd') && random.chance(0.4));
  // A definition in use is rare, and its changes are what that life is about.
  if (life.definition !== undefined) weights.crd *= 3;
  while (steps.length < wanted) life.step(random.weighted(weights));
  life.end();
  return steps;
}

/** What the generator believes to be there; wrong where a write fails that looked good, which is fine. */
class Life {
  /** @type {{ kind: import('./kinds.mjs').Kind, namespace: string | undefined, name: string, last: number, first: number, object: unknown }[]} */
  objects = [];
  /** @type {number[]} */
  watches = [];
  /** @type {number[]} steps whose answers have a version */
  versions = [];
  /** @type {number[]} */
  pages = [];

  constructor(random, push) {
    this.random = random;
    this.push = push;
    this.namespaces = ['{{p}}a', '{{p}}a-b'];
  }

  begin(withCustom) {
    const { random } = this;
    for (const name of this.namespaces) {
      this.push('create', {
        method: 'POST',
        path: '/api/v1/namespaces',
        headers: JSON_TYPE,
        body: { json: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } },
      });
    }
    const byName = Object.fromEntries(KINDS.map((kind) => [kind.plural, kind.weight]));
    this.kinds = [KINDS[0]];
    while (this.kinds.length < 4) {
      const chosen = random.weighted(byName);
      const kind = KINDS.find(({ plural }) => plural === chosen);
      if (!this.kinds.includes(kind)) this.kinds.push(kind);
    }
    if (withCustom) {
      this.definition = new Definition(random, (step) => this.push('crd', step));
      this.custom = this.definition.kind;
      this.kinds.push(this.custom, this.custom);
    }
  }

  step(area) {
    const make = {
      create: () => this.create(),
      get: () => this.get(),
      list: () => this.list(),
      watch: () => this.watch(false),
      'watch-list': () => this.watch(true),
      update: () => this.update(),
      patch: () => this.patch(),
      apply: () => this.apply(),
      delete: () => this.remove(),
      subresources: () => this.subresource(),
      crd: () => this.crd(),
      discovery: () =>
        discoverySteps(this.random, this.kinds).forEach((step) => this.push('discovery', step)),
      protobuf: () => this.protobuf(),
      validation: () =>
        validationSteps(this.random, this.random.pick(this.namespaces)).forEach((step) =>
          this.push('validation', step),
        ),
      negotiation: () =>
        negotiationSteps(
          this.random,
          this.random.pick(this.kinds),
          this.random.pick(this.namespaces),
        ).forEach((step) => this.push('negotiation', step)),
    };
    make[area]();
  }

  /** Any of the steps that have a form in protobuf, in that form. */
  protobuf() {
    const { push, random } = this;
    const others = new Set(this.watches);
    this.push = (_, step) => push('protobuf', inProtobuf(random, step));
    try {
      this.step(
        random.weighted({
          create: 8,
          get: 4,
          list: 5,
          watch: 3,
          'watch-list': 3,
          update: 5,
          delete: 3,
          subresources: 2,
          validation: 6,
        }),
      );
    } finally {
      this.push = push;
      this.watches = this.watches.map((one) => (others.has(one) ? one : ['protobuf', one[1]]));
    }
  }

  end() {
    for (const [area, watch] of this.watches) this.push(area, { op: 'close', watch });
  }

  namespaceOf(kind) {
    return kind.namespaced ? this.random.pick(this.namespaces) : undefined;
  }

  /** A name that nobody else on the server has; cluster-scoped ones carry the prefix. */
  nameOf(kind) {
    return `${kind.namespaced ? '' : '{{p}}'}${this.random.pick(NAMES)}`;
  }

  known(kind, namespace, name) {
    return this.objects.find((one) => one.kind === kind && one.namespace === namespace && one.name === name);
  }

  anyKnown(filter = () => true) {
    return this.random.pick(this.objects.filter(filter));
  }

  changed(kind, object, count) {
    let value = object;
    const pool = [...kind.changes];
    for (let i = 0; i < count && pool.length > 0; i += 1) {
      const [path, values] = this.random.pick(pool);
      value = edited(value, path, this.random.pick(values));
    }
    return value;
  }

  fresh(kind, namespace, name) {
    const { random } = this;
    const object = {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      metadata: {
        name,
        ...(random.chance(0.6) ? { labels: { app: random.pick(['a', 'b']) } } : {}),
        ...(random.chance(0.15) ? { annotations: { note: 'n' } } : {}),
        ...(random.chance(0.08) ? { finalizers: ['a.io/x'] } : {}),
        ...(random.chance(0.05)
          ? { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o-1' }] }
          : {}),
        ...(kind.kind === 'Event' ? { namespace } : {}),
      },
      ...kind.object,
    };
    const value = this.changed(kind, object, random.below(3));
    return this.changed({ ...kind, changes: kind.fresh ?? [] }, value, random.below(3));
  }

  writeQuery(more = []) {
    const { random } = this;
    const parts = [...more];
    if (random.chance(0.12)) parts.push(`fieldManager=${random.pick(MANAGERS)}`);
    if (random.chance(0.08)) parts.push(`dryRun=${random.pick(['All', 'All', 'All', 'x', ''])}`);
    if (random.chance(0.12))
      parts.push(`fieldValidation=${random.pick(['Strict', 'Warn', 'Ignore', 'Strict', 'Foo'])}`);
    return parts.length === 0 ? '' : `?${parts.join('&')}`;
  }

  create() {
    const { random } = this;
    const kind = random.pick(this.kinds);
    const namespace = this.namespaceOf(kind);
    let name = this.nameOf(kind);
    if (this.known(kind, namespace, name) !== undefined && random.chance(0.7)) name = this.nameOf(kind);
    let object = this.fresh(kind, namespace, name);
    if (kind !== this.custom && random.chance(0.3)) object = grown(random, kind, object);
    const generated = random.chance(0.06);
    if (generated)
      object = edited(
        edited(object, ['metadata', 'name'], undefined),
        ['metadata', 'generateName'],
        '{{p}}gen-',
      );
    const bad = random.chance(SPOILED_SHARE);
    const query = this.writeQuery();
    const id = this.push(kind === this.custom ? 'crd' : 'create', {
      method: 'POST',
      path: `${collectionPath(kind, namespace)}${query}`,
      headers: JSON_TYPE,
      body: bad ? spoiled(random, object) : { json: object },
    });
    this.versions.push(id);
    if (
      !bad &&
      !generated &&
      !query.includes('dryRun') &&
      !query.includes('Foo') &&
      this.known(kind, namespace, name) === undefined
    )
      this.objects.push({ kind, namespace, name, last: id, first: id, object });
  }

  pathOf({ kind, namespace, name }) {
    return `${collectionPath(kind, namespace)}/${name}`;
  }

  acceptHeaders() {
    const accept = this.random.weighted(ACCEPTS);
    return accept === '' ? {} : { accept };
  }

  version() {
    const { random } = this;
    const choice = random.weighted({ zero: 8, known: 12, none: 4, bad: 2, future: 0.15 });
    if (choice === 'zero') return '0';
    if (choice === 'bad') return random.pick(['abc', '-1', '00', '1.5', '%201', '%2B1']);
    if (choice === 'future') return '999999999';
    if (choice === 'none' || this.versions.length === 0) return '';
    return `{{rv:${random.pick(this.versions)}}}`;
  }

  get() {
    const { random } = this;
    const one = this.anyKnown();
    if (one === undefined) return;
    const path = random.chance(0.85) ? this.pathOf(one) : this.pathOf({ ...one, name: 'nobody' });
    const query = random.chance(0.3) ? `?resourceVersion=${this.version()}` : '';
    this.push('get', { method: 'GET', path: `${path}${query}`, headers: this.acceptHeaders() });
  }

  selectors(kind) {
    const { random } = this;
    const parts = [];
    if (random.chance(0.35)) {
      const selector = random.weighted({
        'app=a': 6,
        'app!=a': 3,
        'app in (a,b)': 3,
        'app notin (a)': 2,
        '!app': 2,
        app: 2,
        'app==b,tier': 1,
        'tier=front': 1,
        'app>1': 0.5,
        'app=a,,': 0.5,
        '=a': 0.5,
        'app in (a': 0.5,
        'a b': 0.5,
        'app=-x': 0.5,
      });
      parts.push(`labelSelector=${encodeURIComponent(selector)}`);
    }
    if (random.chance(0.25)) {
      const selector = random.weighted({
        'metadata.name=a': 6,
        'metadata.name!=a': 3,
        'metadata.namespace={{p}}a': 3,
        'metadata.name=a,metadata.namespace={{p}}a': 1,
        'metadata.name=a-b': 1,
        'spec.nodeName=': kind.kind === 'Pod' ? 4 : 0.5,
        'status.phase=Pending': kind.kind === 'Pod' ? 4 : 0.5,
        'type=Opaque': kind.kind === 'Secret' ? 4 : 0.3,
        'reason=R': kind.kind === 'Event' ? 4 : 0.3,
        'spec.size=1': 1,
        bad: 0.5,
        'metadata.name': 0.5,
        'metadata.name=a=b': 0.5,
        '=': 0.3,
      });
      parts.push(`fieldSelector=${encodeURIComponent(selector).replace(/%7B%7Bp%7D%7D/g, '{{p}}')}`);
    }
    return parts;
  }

  list() {
    const { random } = this;
    const kind = random.pick(this.kinds);
    const parts = this.selectors(kind);
    if (random.chance(0.35))
      parts.push(`limit=${random.weighted({ 1: 8, 2: 6, 3: 2, 0: 1, '-1': 1, abc: 0.7, '': 0.3, 500: 2 })}`);
    if (random.chance(0.35)) parts.push(`resourceVersion=${this.version()}`);
    if (random.chance(0.25))
      parts.push(`resourceVersionMatch=${random.weighted({ Exact: 5, NotOlderThan: 5, Foo: 1, '': 1 })}`);
    if (random.chance(0.15) && this.pages.length > 0)
      parts.push(`continue={{continue:${random.pick(this.pages)}}}`);
    else if (random.chance(0.02))
      parts.push(
        `continue=${random.pick(['abc', 'eyJ2IjoieCJ9', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJhXHUwMDAwIn0'])}`,
      );
    if (random.chance(0.02)) parts.push('sendInitialEvents=true');
    if (random.chance(0.02)) parts.push(`timeoutSeconds=${random.pick(['1', 'x'])}`);
    if (random.chance(0.02)) parts.push(`pretty=${random.pick(['true', '0', ''])}`);
    const everywhere = random.chance(0.15);
    // What a server has by itself stays out of lists over all names: RBAC's roles, its own services.
    const own = !kind.namespaced || everywhere;
    if (own) onlyLabelled(parts);
    const id = this.push('list', {
      method: 'GET',
      path: `${collectionPath(kind, everywhere ? undefined : this.namespaceOf(kind))}${query(parts)}`,
      headers: this.acceptHeaders(),
    });
    this.versions.push(id);
    if (parts.some((part) => /^limit=[123]$/.test(part))) this.pages.push(id);
  }

  watch(list) {
    const { random } = this;
    const area = list ? 'watch-list' : 'watch';
    const open = this.watches.filter(([there]) => there === area);
    if (open.length > 0 && random.chance(open.length / 4)) {
      const one = random.pick(open);
      this.watches = this.watches.filter((other) => other !== one);
      this.push(area, { op: 'close', watch: one[1] });
      return;
    }
    const kind = random.pick(this.kinds);
    const parts = ['watch=1', ...this.selectors(kind)];
    if (list) {
      parts.push(`sendInitialEvents=${random.weighted({ true: 10, 1: 1, false: 3, 0: 1 })}`);
      if (random.chance(0.93))
        parts.push(`resourceVersionMatch=${random.weighted({ NotOlderThan: 20, Exact: 1, Foo: 1, '': 1 })}`);
      if (random.chance(0.4)) parts.push(`resourceVersion=${this.version()}`);
    } else {
      if (random.chance(0.75)) parts.push(`resourceVersion=${this.version()}`);
      if (random.chance(0.05)) parts.push('resourceVersionMatch=NotOlderThan');
    }
    if (random.chance(list ? 0.85 : 0.4)) parts.push('allowWatchBookmarks=true');
    if (random.chance(0.05)) parts.push(`timeoutSeconds=${random.pick(['300', 'x'])}`);
    if (random.chance(0.03)) parts.push('limit=1');
    if (random.chance(0.03)) parts.push('continue=abc');
    const everywhere = random.chance(0.15);
    if (!kind.namespaced || everywhere) onlyLabelled(parts);
    const namespace = everywhere ? undefined : this.namespaceOf(kind);
    const old = !list && random.chance(0.05);
    const path = collectionPath(kind, namespace);
    const id = this.push(area, {
      op: 'open',
      path: `${old ? path.replace(/^(\/api\/v1|\/apis\/[^/]+\/[^/]+)/, '$1/watch') : path}${query(parts)}`,
      headers: this.acceptHeaders(),
    });
    this.watches.push([area, id]);
  }

  update() {
    const { random } = this;
    const one = this.anyKnown();
    if (one === undefined) return;
    const { kind } = one;
    const edits = [];
    for (let i = 1 + random.below(2); i > 0; i -= 1) {
      const [path, values] = random.pick(kind.changes) ?? [
        ['metadata', 'labels', 'app'],
        ['a', 'b'],
      ];
      edits.push([path, random.pick(values)]);
    }
    if (random.chance(0.3)) edits.push([['metadata', 'labels', 'app'], random.pick(['a', 'b', null])]);
    if (random.chance(0.1))
      edits.push([['metadata', 'finalizers'], random.pick([[], ['a.io/x'], ['b.io/y', 'a.io/x']])]);
    if (random.chance(0.06))
      edits.push(
        random.pick([
          [['metadata', 'uid'], 'other'],
          [['metadata', 'name'], 'other'],
          [['metadata', 'namespace'], 'other'],
          [['metadata', 'creationTimestamp'], '2020-01-01T00:00:00Z'],
          [['metadata', 'managedFields'], []],
          [['metadata', 'managedFields'], [{}]],
          [['metadata', 'generation'], 99],
          [['spec'], null],
          [['zzz'], 1],
        ]),
      );
    // What was answered in another version of a definition is sent in that of the path.
    if (kind === this.custom) edits.push([['apiVersion'], kind.apiVersion]);
    const form = random.weighted({ fresh: 8, absent: 2, stale: 1.5, bad: 0.4, spoiled: 1 });
    if (form === 'absent') edits.push([['metadata', 'resourceVersion'], null]);
    if (form === 'bad')
      edits.push([['metadata', 'resourceVersion'], random.pick(['abc', '0', '1', '999999999'])]);
    const name = random.chance(0.96) ? one.name : 'nobody';
    const id = this.push('update', {
      method: 'PUT',
      path: `${this.pathOf({ ...one, name })}${this.writeQuery()}`,
      headers: JSON_TYPE,
      body:
        form === 'spoiled'
          ? spoiled(random, one.object)
          : { from: form === 'stale' ? one.first : one.last, edits, fallback: one.object },
    });
    this.versions.push(id);
    if (form === 'fresh' || form === 'absent') one.last = id;
  }

  patch() {
    const { random } = this;
    const one = this.anyKnown();
    if (one === undefined) return;
    const { kind } = one;
    const [path, values] = random.pick(kind.changes) ?? [
      ['metadata', 'labels', 'app'],
      ['a', 'b'],
    ];
    const value = random.pick(values);
    const nested = (to) =>
      path.reduceRight(
        (inner, key) =>
          typeof key === 'number' ? [{ name: 'c', ...(isObject(inner) ? inner : {}) }] : { [key]: inner },
        to,
      );
    const type = random.weighted({ merge: 6, strategic: kind === this.custom ? 0.5 : 6, json: 6, none: 0.3 });
    const pointer = (keys) =>
      keys.map((key) => `/${`${key}`.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
    const bodies = {
      merge: () =>
        random.choose([
          [6, () => nested(value)],
          [
            2,
            () => ({
              metadata: {
                labels: random.pick([{ app: 'b' }, { app: null }, { tier: 'front', app: 'a' }, null]),
              },
            }),
          ],
          [1, () => ({ metadata: { annotations: random.pick([{ note: 'm' }, { note: null }, null]) } })],
          [1, () => ({ metadata: { finalizers: random.pick([null, [], ['a.io/x']]) } })],
          [1, () => ({})],
          [0.5, () => ({ metadata: { resourceVersion: random.pick(['1', `{{rv:${one.last}}}`, null]) } })],
          [0.5, () => ({ metadata: { name: 'other' } })],
          [0.5, () => ({ zzz: 1 })],
          [0.5, () => random.pick(['x', [], null, 1])],
          [0.5, () => ({ spec: null })],
          [0.5, () => ({ kind: 'Other' })],
        ]),
      strategic: () =>
        random.choose([
          [6, () => nested(value)],
          [
            2,
            () => ({
              metadata: {
                labels: random.pick([
                  { app: 'b' },
                  { app: null },
                  { $patch: 'replace', x: 'y' },
                  { $retainKeys: ['app'], app: 'a' },
                ]),
              },
            }),
          ],
          [
            1,
            () => ({
              metadata: {
                finalizers: random.pick([['b.io/y'], null, []]),
                '$deleteFromPrimitiveList/finalizers': random.pick([['a.io/x'], undefined]),
              },
            }),
          ],
          [
            1,
            () => ({
              metadata: { '$setElementOrder/finalizers': ['b.io/y', 'a.io/x'], finalizers: ['b.io/y'] },
            }),
          ],
          [
            2,
            () => ({
              spec: {
                template: {
                  spec: {
                    containers: random.pick([
                      [{ name: 'c', image: 'i:9' }],
                      [{ name: 'd', image: 'j' }],
                      [{ name: 'c', $patch: 'delete' }],
                      [{ image: 'nameless' }],
                      [{ $patch: 'replace' }, { name: 'e', image: 'k' }],
                    ]),
                  },
                },
              },
            }),
          ],
          [1, () => ({ spec: { containers: [{ name: 'c', image: 'i:9' }] } })],
          [
            1,
            () => ({
              spec: {
                ports: random.pick([
                  [{ port: 80, name: 'z' }],
                  [{ port: 99 }],
                  [{ port: 80, $patch: 'delete' }],
                ]),
              },
            }),
          ],
          [0.5, () => ({ $patch: random.pick(['delete', 'replace', 'merge', 'foo']) })],
          [0.5, () => random.pick(['x', [], null, 1])],
          [0.5, () => ({ zzz: 1 })],
          [
            0.5,
            () => ({ ownerReferences: 1, metadata: { ownerReferences: [{ uid: 'o-1', $patch: 'delete' }] } }),
          ],
        ]),
      json: () =>
        random.choose([
          [6, () => [{ op: random.pick(['add', 'add', 'replace']), path: pointer(path), value }]],
          [2, () => [{ op: 'add', path: '/metadata/labels', value: { app: 'b', x: 'y' } }]],
          [
            2,
            () => [
              { op: random.pick(['replace', 'remove', 'test']), path: '/metadata/labels/app', value: 'a' },
            ],
          ],
          [
            1,
            () => [
              { op: 'test', path: '/metadata/name', value: one.name },
              { op: 'add', path: '/metadata/annotations', value: { t: '1' } },
            ],
          ],
          [
            1,
            () => [
              { op: random.pick(['copy', 'move']), from: '/metadata/labels', path: '/metadata/annotations' },
            ],
          ],
          [
            1,
            () => [
              {
                op: random.pick(['remove', 'foo', 'add']),
                path: random.pick([
                  '/nothing',
                  '/metadata/nothing/x',
                  'x',
                  '',
                  '/metadata/finalizers/-',
                  '/metadata/finalizers/5',
                ]),
                value: 'x',
              },
            ],
          ],
          [0.5, () => random.pick([{}, 'x', [], null, [1], [{}], [{ op: 'add' }]])],
          [0.5, () => [{ op: 'replace', path: '/metadata/name', value: 'other' }]],
          [0.5, () => [{ op: 'add', path: '/metadata/finalizers', value: [] }]],
        ]),
      none: () => ({}),
    };
    const contentType = {
      merge: 'application/merge-patch+json',
      strategic: 'application/strategic-merge-patch+json',
      json: 'application/json-patch+json',
      none: random.pick(['application/json', 'text/plain', 'application/apply-patch+json']),
    }[type];
    const name = random.chance(0.95) ? one.name : 'nobody';
    const status = random.chance(0.05) && kind.status ? '/status' : '';
    const json = bodies[type]();
    const id = this.push('patch', {
      method: 'PATCH',
      path: `${this.pathOf({ ...one, name })}${status}${this.writeQuery()}`,
      headers: { 'content-type': contentType },
      body: random.chance(0.02) ? { raw: random.pick(['', '{', 'null']) } : { json },
    });
    this.versions.push(id);
  }

  apply() {
    const { random } = this;
    let one = random.chance(0.6) ? this.anyKnown() : undefined;
    const kind = one?.kind ?? random.pick(this.kinds);
    const namespace = one?.namespace ?? this.namespaceOf(kind);
    const name = one?.name ?? this.nameOf(kind);
    let object = random.chance(0.5)
      ? this.fresh(kind, namespace, name)
      : this.changed(
          kind,
          { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name }, ...kind.object },
          2,
        );
    if (random.chance(0.08)) object = edited(object, ['metadata', 'managedFields'], []);
    if (random.chance(0.05)) object = edited(object, ['metadata', 'resourceVersion'], '1');
    const parts = [];
    if (random.chance(0.96)) parts.push(`fieldManager=${random.pick(MANAGERS)}`);
    if (random.chance(0.5)) parts.push(`force=${random.pick(['true', 'true', 'true', 'false', '1'])}`);
    if (random.chance(0.06)) parts.push('dryRun=All');
    if (random.chance(0.1)) parts.push(`fieldValidation=${random.pick(['Strict', 'Ignore'])}`);
    const bad = random.chance(SPOILED_SHARE * 0.7);
    const id = this.push('apply', {
      method: 'PATCH',
      path: `${collectionPath(kind, namespace)}/${name}${query(parts)}`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: bad ? spoiled(random, object) : { json: object },
    });
    this.versions.push(id);
    one = this.known(kind, namespace, name);
    if (one !== undefined) one.last = random.chance(0.5) ? id : one.last;
    else if (!bad && !parts.includes('dryRun=All'))
      this.objects.push({ kind, namespace, name, last: id, first: id, object });
  }

  remove() {
    const { random } = this;
    const one = this.anyKnown();
    if (one === undefined) return;
    if (random.chance(0.12)) {
      // Of kinds that the server has some of by itself only the labelled ones.
      const selectors = one.kind.namespaced ? this.selectors(one.kind) : ['labelSelector=app%3Da'];
      const options = random.chance(0.3)
        ? [`propagationPolicy=${random.pick(['Orphan', 'Background', 'Foreground'])}`]
        : [];
      if (random.chance(0.2)) options.push('limit=1');
      if (random.chance(0.2)) options.push('dryRun=All');
      // Without a namespace or a selector the servers' own things would go.
      this.push('delete', {
        method: 'DELETE',
        path: `${collectionPath(one.kind, one.namespace)}${query([...selectors, ...options])}`,
      });
      return;
    }
    const name = random.chance(0.93) ? one.name : 'nobody';
    const options = {};
    const parts = [];
    if (random.chance(0.25))
      options.propagationPolicy = random.weighted({ Orphan: 2, Background: 3, Foreground: 3, Foo: 1 });
    if (random.chance(0.1)) options.orphanDependents = random.pick([true, false]);
    if (random.chance(0.15)) options.gracePeriodSeconds = random.pick([0, 0, 1, 30, -1]);
    if (random.chance(0.12))
      options.preconditions = random.pick([
        { uid: `{{uid:${one.first}}}` },
        { uid: 'x' },
        { resourceVersion: `{{rv:${one.last}}}` },
        { resourceVersion: '1' },
      ]);
    if (random.chance(0.08)) options.dryRun = random.pick([['All'], ['x'], []]);
    if (random.chance(0.05)) parts.push(`gracePeriodSeconds=${random.pick(['0', '5', 'x'])}`);
    if (random.chance(0.05)) parts.push(`propagationPolicy=${random.pick(['Orphan', 'Background', 'Foo'])}`);
    if (random.chance(0.03)) parts.push('dryRun=All');
    const kind = random.chance(0.9)
      ? { apiVersion: 'v1', kind: 'DeleteOptions' }
      : random.pick([
          {},
          { apiVersion: 'v1', kind: 'Pod' },
          { apiVersion: 'meta.k8s.io/v1', kind: 'DeleteOptions' },
          { apiVersion: one.kind.apiVersion, kind: 'DeleteOptions' },
          { zzz: 1 },
        ]);
    const withBody = Object.keys(options).length > 0 || random.chance(0.2);
    const id = this.push('delete', {
      method: 'DELETE',
      path: `${this.pathOf({ ...one, name })}${query(parts)}`,
      ...(withBody ? { headers: JSON_TYPE, body: { json: { ...kind, ...options } } } : {}),
    });
    this.versions.push(id);
    if (name === one.name && options.dryRun === undefined && !parts.includes('dryRun=All'))
      this.objects = this.objects.filter((other) => other !== one);
  }

  subresource() {
    const { random } = this;
    const one =
      this.anyKnown(
        ({ kind }) => kind.status || kind.scale || kind.kind === 'Pod' || kind.kind === 'ServiceAccount',
      ) ?? this.anyKnown();
    if (one === undefined) return;
    const { kind } = one;
    const choice = random.weighted({
      getStatus: 3,
      putStatus: 4,
      patchStatus: 4,
      getScale: kind.scale ? 3 : 0.3,
      putScale: kind.scale ? 3 : 0.3,
      patchScale: kind.scale ? 3 : 0.2,
      evict: kind.kind === 'Pod' ? 2 : 0.1,
      bind: kind.kind === 'Pod' ? 2 : 0.1,
      ephemeral: kind.kind === 'Pod' ? 2 : 0.1,
      resize: kind.kind === 'Pod' ? 2 : 0.1,
      log: kind.kind === 'Pod' ? 1 : 0.1,
      token: kind.kind === 'ServiceAccount' ? 4 : 0.1,
      unknown: 0.3,
    });
    const path = this.pathOf(one);
    const put = (subresource, body) => ({
      method: 'PUT',
      path: `${path}/${subresource}${this.writeQuery()}`,
      headers: JSON_TYPE,
      body,
    });
    const patch = (subresource, json) => ({
      method: 'PATCH',
      path: `${path}/${subresource}${this.writeQuery()}`,
      headers: {
        'content-type': random.pick([
          'application/merge-patch+json',
          'application/strategic-merge-patch+json',
        ]),
      },
      body: { json },
    });
    const post = (subresource, json) => ({
      method: 'POST',
      path: `${path}/${subresource}${this.writeQuery()}`,
      headers: JSON_TYPE,
      body: { json },
    });
    const status = random.pick([
      {
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            lastTransitionTime: '2024-01-02T03:04:05Z',
            reason: 'R',
            message: '',
          },
        ],
      },
      { replicas: 1, observedGeneration: 1 },
      { phase: random.pick(['Running', 'Bound', 'Active', 'Failed']) },
      {},
      null,
    ]);
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: one.name },
      spec: { replicas: random.pick([0, 1, 4, -1]) },
    };
    const steps = {
      getStatus: () => ({ method: 'GET', path: `${path}/status` }),
      putStatus: () =>
        put('status', {
          from: one.last,
          edits: [
            [['status'], status],
            ...(random.chance(0.5) ? [[['metadata', 'labels', 'app'], 's']] : []),
          ],
          fallback: one.object,
        }),
      patchStatus: () =>
        patch('status', {
          status,
          ...(random.chance(0.3) ? { metadata: { labels: { app: 's' }, annotations: { n: 's' } } } : {}),
        }),
      getScale: () => ({ method: 'GET', path: `${path}/scale` }),
      putScale: () =>
        put('scale', {
          json: random.chance(0.8)
            ? scale
            : random.pick([{}, { ...scale, kind: 'X' }, { ...scale, metadata: { name: 'x' } }]),
        }),
      patchScale: () => patch('scale', { spec: { replicas: random.pick([0, 2, -1, 'x']) } }),
      evict: () =>
        post('eviction', {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: one.name, namespace: one.namespace },
        }),
      bind: () =>
        post('binding', {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: one.name },
          target: random.pick([{ kind: 'Node', name: 'n1' }, { name: '' }, { kind: 'Pod', name: 'x' }]),
        }),
      ephemeral: () =>
        patch('ephemeralcontainers', {
          spec: {
            ephemeralContainers: [
              random.pick([{ name: 'e', image: 'i' }, { name: 'c', image: 'i' }, { name: 'f' }]),
            ],
          },
        }),
      resize: () =>
        patch('resize', {
          spec: {
            containers: [
              {
                name: 'c',
                resources: random.pick([{ requests: { cpu: '200m' } }, { limits: { memory: '2Gi' } }]),
              },
            ],
          },
        }),
      log: () => ({
        method: 'GET',
        path: `${path}/log${random.pick(['', '?container=c', '?tailLines=-1'])}`,
      }),
      token: () =>
        post('token', {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: random.pick([{}, { expirationSeconds: 600 }, { expirationSeconds: 1 }, { audiences: ['x'] }]),
        }),
      unknown: () => ({
        method: random.pick(['GET', 'PUT', 'POST']),
        path: `${path}/${random.pick(['nothing', 'status/x'])}`,
        headers: JSON_TYPE,
        body: { json: {} },
      }),
    };
    const id = this.push('subresources', steps[choice]());
    this.versions.push(id);
  }

  crd() {
    const { random } = this;
    const made = definitionOf(definedVersion(random, 'v1').version);
    const inUse = this.definition !== undefined;
    random.choose([
      [inUse ? 2 : 5, () => this.pushDefinition({ json: made })],
      [inUse ? 2 : 5, () => this.pushDefinition(spoiled(random, made))],
      [1, () => this.push('crd', { method: 'GET', path: `${DEFINITIONS}?labelSelector=none` })],
      [inUse ? 14 : 0, () => this.onCustom(() => this.create())],
      [inUse ? 12 : 0, () => this.definition.change(random.pick(this.namespaces))],
    ]);
  }

  pushDefinition(body) {
    this.push('crd', { method: 'POST', path: `${DEFINITIONS}?dryRun=All`, headers: JSON_TYPE, body });
  }

  /** With no kind but the custom one. */
  onCustom(make) {
    const { kinds } = this;
    this.kinds = [this.custom];
    make();
    this.kinds = kinds;
  }
}

/** Makes query parts such that they choose nothing that a server has by itself. */
function onlyLabelled(parts) {
  const at = parts.findIndex((part) => part.startsWith('labelSelector='));
  if (at < 0) parts.push('labelSelector=app');
  else if (/!|notin/.test(decodeURIComponent(parts[at]))) parts[at] = 'labelSelector=app%3Da';
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const query = (parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`);
