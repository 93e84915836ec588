/** The pods that a workload or a budget is about. */
import { objectMember } from '../ground/json.js';
import { type ApiObject } from '../ground/object.js';
import { labelSelectorOf } from '../registry/label-selector.js';
import { type LabelSelector } from '../watch/label-selector.js';

/** What `spec.selector` selects; undefined: there is none, or none that could be read. */
export const selectorOf = (object: ApiObject): LabelSelector | undefined =>
  labelSelectorOf(objectMember(objectMember(object, 'spec'), 'selector'));
