/** APIServices: named after the version and the group that they register. */
import { formatTime } from '../../ground/clock.js';
import { goQuote } from '../../ground/revision.js';
import { objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { type KindRules } from '../kind-rules.js';
import { pathSegmentProblems } from '../../ground/name-syntax.js';

function nameProblems(name: string, _isPrefix: boolean, object: ApiObject): readonly string[] {
  const problems = pathSegmentProblems(name);
  if (problems.length > 0) return problems;
  const spec = objectMember(object, 'spec');
  const wanted = `${stringMember(spec, 'version') ?? ''}.${stringMember(spec, 'group') ?? ''}`;
  return name === wanted ? [] : [`must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`];
}

/** Source: kube-aggregator apis/apiregistration/validation/validation.go, registry/apiservice/strategy.go. */
export const apiServiceRules: KindRules = {
  group: 'apiregistration.k8s.io',
  resource: 'apiservices',
  storedAsJson: true,
  nameProblems,
  prepareForCreate(object, { clock }) {
    if (objectMember(object, 'spec')?.['service'] !== undefined) return object;
    const condition = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: formatTime(clock.now()),
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    return { ...object, status: { conditions: [condition] } };
  },
};
