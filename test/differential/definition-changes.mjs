/** Changes of a definition while its objects are written, read and watched. */
import { DEFINITIONS, customKind, definedVersion, definitionOf, untilServed } from './custom-kinds.mjs';
import { collectionPath } from './kinds.mjs';
import { spoiled } from './mutations.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };
const MERGE = { 'content-type': 'application/merge-patch+json' };

/** One definition of an episode: which versions it has, and which of them its kind is written in. */
export class Definition {
  /** @param {import('./random.mjs').Random} random */
  constructor(random, push) {
    this.random = random;
    this.push = push;
    const made = definedVersion(random, 'v1', 0);
    this.marks = 0;
    this.versions = { v1: made };
    this.stored = 'v1';
    /** Changes as the definition does, so that what refers to it stays true. */
    this.kind = customKind(made);
    const body = definitionOf(made.version);
    this.path = `${DEFINITIONS}/${body.metadata.name}`;
    this.last = push({ method: 'POST', path: DEFINITIONS, headers: JSON_TYPE, body: { json: body } });
    for (const step of untilServed(this.kind, collectionPath(this.kind, undefined), this.last)) push(step);
  }

  /** One more change, or a refused one. */
  change(namespace) {
    const { random } = this;
    random.choose([
      [5, () => this.#newSchema(namespace)],
      [3, () => (this.versions.v2 === undefined ? this.#secondVersion(namespace) : this.#turn())],
      [2, () => this.#storage(namespace)],
      [1, () => this.#served(namespace)],
      [1, () => this.#names()],
      [4, () => this.#refused()],
      [1, () => this.push({ method: 'GET', path: this.path })],
    ]);
  }

  #list() {
    return Object.values(this.versions).map(({ version }) => ({
      ...version,
      storage: version.name === this.stored,
    }));
  }

  #put(edits) {
    this.last = this.push({
      method: 'PUT',
      path: this.path,
      headers: JSON_TYPE,
      body: { from: this.last, edits: [...edits, [['metadata', 'resourceVersion'], null]], fallback: {} },
    });
  }

  /** Takes the versions over and waits until writes in one of them show the newest schema. */
  #write(namespace, name) {
    const { version } = this.versions[name];
    this.#put([[['spec', 'versions'], this.#list()]]);
    const kind = customKind(this.versions[name]);
    const { default: mark } = version.schema.openAPIV3Schema.properties.spec.properties.mark;
    this.push({
      op: 'await',
      after: this.last,
      method: 'POST',
      path: `${collectionPath(kind, namespace)}?dryRun=All`,
      headers: JSON_TYPE,
      body: { json: { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'probe' }, spec: {} } },
      until: { path: ['spec', 'mark'], value: mark },
    });
    if (kind.apiVersion === this.kind.apiVersion) Object.assign(this.kind, kind);
  }

  #made(name) {
    this.marks += 1;
    return definedVersion(this.random, name, this.marks);
  }

  #newSchema(namespace) {
    const name = this.#current();
    this.versions[name] = this.#made(name);
    this.#write(namespace, name);
  }

  #secondVersion(namespace) {
    this.versions.v2 = this.#made('v2');
    this.#write(namespace, 'v2');
  }

  #current() {
    return this.kind.apiVersion.split('/')[1];
  }

  /** From now on the kind is written in the other version. */
  #turn() {
    const other = this.#current() === 'v1' ? 'v2' : 'v1';
    Object.assign(this.kind, customKind(this.versions[other]));
  }

  #storage(namespace) {
    if (this.versions.v2 === undefined) return;
    this.stored = this.stored === 'v1' ? 'v2' : 'v1';
    const name = this.#current();
    this.versions[name] = this.#made(name);
    this.#write(namespace, name);
  }

  /** The version in which nothing is written now comes and goes. */
  #served(namespace) {
    const current = this.#current();
    const other = current === 'v1' ? 'v2' : 'v1';
    if (this.versions[other] === undefined) return;
    const { version } = this.versions[other];
    this.versions[other].version = { ...version, served: !version.served };
    this.versions[current] = this.#made(current);
    this.#write(namespace, current);
    this.push({ method: 'GET', path: collectionPath(customKind(this.versions[other]), namespace) });
    // Nothing is written in it before it is served again.
    this.versions[other].version = version;
    this.versions[current] = this.#made(current);
    this.#write(namespace, current);
  }

  #names() {
    this.#put([[['spec', 'names', 'shortNames'], [this.random.pick(['wi', 'wd'])]]]);
    this.push({
      op: 'await',
      after: this.last,
      path: this.path,
      until: { path: ['status', 'acceptedNames', 'plural'], value: 'widgets' },
    });
  }

  #refused() {
    const { random } = this;
    const edit = (path, to) => ({ from: this.last, edits: [[path, to]], fallback: {} });
    const put = (body) =>
      this.push({ method: 'PUT', path: `${this.path}?dryRun=All`, headers: JSON_TYPE, body });
    random.choose([
      [1, () => put(edit(['spec', 'scope'], 'Cluster'))],
      [1, () => put(edit(['spec', 'names', 'kind'], 'Other'))],
      [1, () => put(edit(['spec', 'group'], 'other.example.com'))],
      [1, () => put(edit(['spec', 'versions'], [{ ...this.versions.v1.version, name: 'v9' }]))],
      [1, () => put(edit(['spec', 'versions', 0, 'storage'], false))],
      [1, () => put(edit(['status', 'storedVersions'], []))],
      [1, () => put(edit(['spec', 'conversion'], { strategy: random.pick(['None', 'Webhook', 'X']) }))],
      [1, () => put(edit(['spec', 'preserveUnknownFields'], true))],
      [4, () => put(spoiled(random, definitionOf(this.#made('v1').version)))],
      [
        1,
        () =>
          this.push({
            method: 'PATCH',
            path: `${this.path}?dryRun=All`,
            headers: MERGE,
            body: {
              json: {
                spec: random.pick([{ scope: 'Cluster' }, { versions: [] }, { names: { singular: 'w' } }]),
              },
            },
          }),
      ],
    ]);
  }
}
