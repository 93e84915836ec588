/** Jobs: they get a selector of their own, are selected by how many of their pods succeeded; a delete that says nothing of the pods is warned of. */
import { goQuote } from '../../ground/revision.js';
import { numberMember, objectMember } from '../../ground/json.js';
import { type KindRules } from '../kind-rules.js';
import { withOwnSelector } from './job-selector.js';

/** Source: kubernetes registry/batch/job/strategy.go and storage/storage.go; apis/batch/v1/conversion.go. */
export const jobRules: KindRules = {
  group: 'batch',
  resource: 'jobs',
  fields: {
    'status.successful': (job) => String(numberMember(objectMember(job, 'status'), 'succeeded') ?? 0),
  },
  fieldRefused: (field) => `field label ${goQuote(field)} not supported for Job`,
  prepareForCreate: withOwnSelector,
  deleteWarning: ({ propagationPolicy, orphanDependents }) =>
    propagationPolicy === undefined && orphanDependents === undefined
      ? 'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning'
      : undefined,
};
