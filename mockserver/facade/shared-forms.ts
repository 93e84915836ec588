/** What all clusters of a server share: made once, so that a further cluster costs next to nothing. */
import { loadBuiltInApi } from '../../openapi/built-in-api.js';
import { fieldDescription } from '../../openapi/descriptions.js';
import { type FreshObject, readFreshServer } from '../../openapi/fresh-server.js';
import { ImportedApi } from '../../openapi/imported/imported-api.js';
import { type ImportedCluster } from '../../openapi/imported/imported-cluster.js';
import { type Clock } from '../ground/clock.js';
import { type JsonObject } from '../ground/json.js';
import { parseApiVersion, type GroupVersionKind } from '../ground/kind.js';
import { type ApiObject } from '../ground/object.js';
import { type Random } from '../ground/random.js';
import { Blueprint } from '../registry/blueprint.js';
import { BuiltInOpenApiDocuments } from '../registry/openapi-built-in-documents.js';
import { type OpenApiBase } from '../registry/openapi-base.js';
import { ImportedOpenApiDocuments } from '../registry/openapi-imported-documents.js';
import { type FreshImage } from '../registry/fresh-image.js';
import { freshServerObjects } from '../registry/seed.js';
import { TableFormats } from '../registry/tables/table-formats.js';

/** What the kubernetes service of a fresh cluster points at. */
const SECURE_PORT = 6443;

export class SharedForms {
  readonly blueprint: Blueprint;
  readonly documents: OpenApiBase;
  readonly tables: TableFormats;
  /** Kept by the first cluster that begins fresh, for the others. */
  freshImage: FreshImage | undefined;
  /** Definitions of custom resources that a fresh cluster has, and what they are called in messages. */
  readonly definitions: readonly [objects: readonly JsonObject[], called: string];
  readonly #fresh: readonly FreshObject[];

  /**
   * @param clock dates the documents
   * @param imported whose API is served. @default that of `kubernetesVersion`
   */
  constructor(kubernetesVersion: string, clock: Clock, imported?: ImportedCluster) {
    const known = loadBuiltInApi(kubernetesVersion);
    const api = imported === undefined ? known : new ImportedApi(imported, known);
    const documents = new BuiltInOpenApiDocuments({ api: known, clock });
    this.blueprint = new Blueprint(api);
    this.documents =
      imported === undefined
        ? documents
        : new ImportedOpenApiDocuments({ imported, facts: documents.facts, clock });
    this.tables = new TableFormats(api, (type, field) => fieldDescription(api.descriptions, type, field));
    this.definitions = [imported?.definitions ?? [], `${imported?.source ?? ''}: definitions`];
    const { builtIn } = this.blueprint;
    // An older cluster does not have all that this version begins with.
    this.#fresh = readFreshServer(kubernetesVersion).filter(
      ({ object }) => imported === undefined || builtIn.findKind(kindOf(object)) !== undefined,
    );
  }

  /** The objects of a fresh cluster, with times and uids of their own. */
  freshObjects(clock: Clock, random: Random): readonly ApiObject[] {
    return freshServerObjects(this.#fresh, { clock, random, securePort: SECURE_PORT });
  }
}

const kindOf = ({ apiVersion, kind }: ApiObject): GroupVersionKind => ({
  group: '',
  version: '',
  ...parseApiVersion(apiVersion),
  kind,
});
