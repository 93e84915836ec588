/** The table format of every resource and subresource, made when it is first asked for. */
import { type BuiltInApi } from '../../../openapi/built-in-api.js';
import { type Resource } from '../resource.js';
import { builtInFormat } from './built-in-format.js';
import { customFormat, customScaleFormat } from './custom-format.js';
import { type FieldProse, type TableFormat, NO_PROSE } from './table-format.js';

/** To be kept by whoever answers requests: one for each built-in API. A resource that is replaced is forgotten. */
export class TableFormats {
  readonly #api: BuiltInApi;
  readonly #prose: FieldProse;
  readonly #known = new WeakMap<Resource, Map<string, TableFormat>>();

  constructor(api: BuiltInApi, prose: FieldProse = NO_PROSE) {
    this.#api = api;
    this.#prose = prose;
  }

  /** @param subresource `''` for the resource itself; one that answers the kind of its resource shows that one's table. */
  of(resource: Resource, subresource = ''): TableFormat {
    let formats = this.#known.get(resource);
    if (formats === undefined) this.#known.set(resource, (formats = new Map<string, TableFormat>()));
    let format = formats.get(subresource);
    if (format === undefined) formats.set(subresource, (format = this.#make(resource, subresource)));
    return format;
  }

  #make(resource: Resource, subresource: string): TableFormat {
    const kind = resource.subresources.get(subresource)?.kind ?? resource;
    const own = kind.kind === resource.kind && kind.group === resource.group;
    if (!resource.custom) {
      const format = builtInFormat(this.#api, kind, this.#prose);
      // What a subresource shows of another kind (a Scale) is made from the object and stored nowhere.
      return own ? format : { ...format, reads: 'presented' };
    }
    return own ? customFormat(resource.printerColumns ?? [], this.#prose) : customScaleFormat(this.#prose);
  }
}
