/** How the objects of a resource are treated on writes: what the facts say, as decisions. */
import { type StrategyRecord } from '../../openapi/strategy-record.js';

export type FieldRefusal =
  /** `field label not supported: x` */
  | 'not supported'
  /** `"x" is not a known field selector: only "metadata.name", "metadata.namespace"` */
  | 'not known'
  /** `field label "x" not supported for Job` */
  | 'not supported for kind'
  /** `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: x` */
  | 'not supported for version';

export interface Strategy {
  /** Whether metadata.generation is 1 after a create; otherwise what a create sends stays. */
  readonly countsGeneration: boolean;
  /** A change of content raises the generation. */
  readonly growsWithSpec: boolean;
  readonly growsWithLabels: boolean;
  readonly growsWithAnnotations: boolean;
  /** Whether a deletion that is held raises the generation. */
  readonly growsWithDeletion: boolean;
  /** Whether status is part of the content that raises the generation. */
  readonly statusCounts: boolean;
  /** Whether a status sent to the main resource is ignored (there is a status subresource). */
  readonly statusApart: boolean;
  /** Whether a status sent with a create is dropped. */
  readonly statusResetOnCreate: boolean;
  /** Members of metadata that a write to the status subresource keeps as stored. */
  readonly keptByStatusUpdate: readonly string[];
  readonly unconditionalUpdate: boolean;
  readonly createOnUpdate: boolean;
  /** Whether a delete that removes at once answers the object instead of a Status. */
  readonly deleteAnswersObject: boolean;
  readonly orphansByDefault: boolean;
  /** Whether a held object shows deletionGracePeriodSeconds 0. */
  readonly heldWithGrace: boolean;
  readonly fieldSelectors: readonly string[];
  readonly fieldRefusal: FieldRefusal;
}

const METADATA_PARTS = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;
/** Of a custom resource, all that a client could change. */
const CUSTOM_METADATA_PARTS = [...METADATA_PARTS, 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/** The strategy of a built-in kind; kinds that are never stored get one that nothing asks. */
export function builtInStrategy(record: StrategyRecord | undefined, namespaced: boolean): Strategy {
  const update = record?.statusUpdate;
  const written = typeof update === 'object' ? update : undefined;
  const held = record?.delete.withFinalizer;
  return {
    countsGeneration: record?.onCreate.generation === 1,
    growsWithSpec: record?.generation.onSpec === 'grows',
    growsWithLabels: record?.generation.onLabels === 'grows',
    growsWithAnnotations: record?.generation.onAnnotations === 'grows',
    growsWithDeletion: held?.generation !== 'kept',
    statusCounts: false,
    statusApart: record?.statusInUpdate === 'ignored',
    statusResetOnCreate: record?.onCreate.status === 'reset',
    keptByStatusUpdate: METADATA_PARTS.filter((part) => written === undefined || written[part] === 'kept'),
    unconditionalUpdate: record?.allowsUnconditionalUpdate ?? true,
    createOnUpdate: record?.allowsCreateOnUpdate ?? false,
    deleteAnswersObject: record !== undefined && record.delete.answer !== 'Status',
    orphansByDefault: held?.finalizers.includes('orphan') ?? false,
    heldWithGrace: held?.gracePeriodSeconds !== 'not set',
    fieldSelectors: record?.fieldSelectors ?? [
      'metadata.name',
      ...(namespaced ? ['metadata.namespace'] : []),
    ],
    fieldRefusal: refusalOf(record?.fieldSelectorRefused),
  };
}

function refusalOf(text: string | undefined): FieldRefusal {
  if (text === undefined || text.includes('is not a known field selector')) return 'not known';
  if (text.includes('field label "')) return 'not supported for kind';
  return text.includes('not supported for') ? 'not supported for version' : 'not supported';
}

/**
 * The strategy of a custom resource.
 * Source: apiextensions-apiserver registry/customresource/strategy.go and status_strategy.go.
 */
export function customStrategy(
  hasStatus: boolean,
  selectableFields: readonly string[],
  namespaced: boolean,
): Strategy {
  return {
    countsGeneration: true,
    growsWithSpec: true,
    growsWithLabels: false,
    growsWithAnnotations: false,
    growsWithDeletion: true,
    statusCounts: !hasStatus,
    statusApart: hasStatus,
    statusResetOnCreate: hasStatus,
    keptByStatusUpdate: CUSTOM_METADATA_PARTS,
    unconditionalUpdate: false,
    createOnUpdate: false,
    deleteAnswersObject: false,
    orphansByDefault: false,
    heldWithGrace: true,
    fieldSelectors: ['metadata.name', ...(namespaced ? ['metadata.namespace'] : []), ...selectableFields],
    fieldRefusal: 'not supported',
  };
}
