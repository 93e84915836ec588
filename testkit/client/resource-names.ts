/** Which paths kinds have, as a cluster's discovery says it. */
import { type KindName } from './kube-object.js';
import { ask } from './requests.js';
import { type Place } from './place.js';

export interface NamedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly names: readonly string[];
}

/** Source: apidiscovery.k8s.io/v2, APIGroupDiscoveryList; what is read of it. */
interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind: string };
        readonly scope: 'Namespaced' | 'Cluster';
        readonly singularResource?: string;
        readonly shortNames?: readonly string[];
      }[];
    }[];
  }[];
}

const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export class ResourceNames {
  readonly #place: () => Place;
  #known: readonly NamedResource[] = [];

  constructor(place: () => Place) {
    this.#place = place;
  }

  /** Asks the cluster again for what is not known yet. Errors: an Error when it does not serve it either. */
  async find(kind: KindName): Promise<NamedResource> {
    const known = this.#find(kind);
    if (known !== undefined) return known;
    await this.#read();
    const found = this.#find(kind);
    if (found === undefined) throw new Error(`the cluster serves no ${shown(kind)}`);
    return found;
  }

  #find(kind: KindName): NamedResource | undefined {
    return this.#known.find((one) => isNamed(one, kind));
  }

  async #read(): Promise<void> {
    const documents = await Promise.all(
      ['/api', '/apis'].map((path) => ask(this.#place(), { method: 'GET', path, accept: ACCEPT })),
    );
    this.#known = documents.flatMap((document) => resourcesOf(document as Discovery)); // what ACCEPT asks for
  }
}

function resourcesOf({ items }: Discovery): readonly NamedResource[] {
  return items.flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources.map(({ resource, responseKind, scope, singularResource = '', shortNames = [] }) => ({
        group: metadata.name ?? '',
        version,
        kind: responseKind?.kind ?? '',
        resource,
        namespaced: scope === 'Namespaced',
        names: [resource, singularResource, ...shortNames],
      })),
    ),
  );
}

function isNamed(one: NamedResource, kind: KindName): boolean {
  if (typeof kind !== 'string') {
    const apiVersion = one.group === '' ? one.version : `${one.group}/${one.version}`;
    return one.kind === kind.kind && apiVersion === kind.apiVersion;
  }
  const [name = '', ...group] = kind.split('.');
  if (group.length > 0 && group.join('.') !== one.group) return false;
  return one.kind === name || one.names.includes(name);
}

const shown = (kind: KindName): string =>
  typeof kind === 'string' ? kind : `${kind.kind} of ${kind.apiVersion}`;

/** Path of a collection or, with a name, of an object. */
export function pathOf(
  { group, version, resource, namespaced }: NamedResource,
  namespace: string,
  name?: string,
): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${resource}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
}
