/** What all clusters of a server share: made once, so that a further cluster costs next to nothing. */
import { loadBuiltInApi } from '../../openapi/built-in-api.js';
import { fieldDescription } from '../../openapi/descriptions.js';
import { type FreshObject, readFreshServer } from '../../openapi/fresh-server.js';
import { type Clock } from '../ground/clock.js';
import { type ApiObject } from '../ground/object.js';
import { type Random } from '../ground/random.js';
import { Blueprint } from '../registry/blueprint.js';
import { BuiltInOpenApiDocuments } from '../registry/openapi-built-in-documents.js';
import { type FreshImage } from '../registry/fresh-image.js';
import { freshServerObjects } from '../registry/seed.js';
import { TableFormats } from '../registry/tables/table-formats.js';

/** What the kubernetes service of a fresh cluster points at. */
const SECURE_PORT = 6443;

export class SharedForms {
  readonly blueprint: Blueprint;
  readonly documents: BuiltInOpenApiDocuments;
  readonly tables: TableFormats;
  /** Kept by the first cluster that begins fresh, for the others. */
  freshImage: FreshImage | undefined;
  readonly #fresh: readonly FreshObject[];

  /** @param clock dates the documents */
  constructor(kubernetesVersion: string, clock: Clock) {
    const api = loadBuiltInApi(kubernetesVersion);
    this.blueprint = new Blueprint(api);
    this.documents = new BuiltInOpenApiDocuments({ api, clock });
    this.tables = new TableFormats(api, (type, field) => fieldDescription(api.descriptions, type, field));
    this.#fresh = readFreshServer(kubernetesVersion);
  }

  /** The objects of a fresh cluster, with times and uids of their own. */
  freshObjects(clock: Clock, random: Random): readonly ApiObject[] {
    return freshServerObjects(this.#fresh, { clock, random, securePort: SECURE_PORT });
  }
}
