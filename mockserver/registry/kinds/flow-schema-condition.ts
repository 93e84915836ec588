/** Whether the priority level that a flow schema names is there. */
import { objectMember, stringMember } from '../../ground/json.js';
import { goQuote } from '../../ground/revision.js';
import { type OwnCondition } from '../own-condition.js';

const GROUP = 'flowcontrol.apiserver.k8s.io';
const LEVELS = 'prioritylevelconfigurations';

/** Source: apiserver util/flowcontrol/apf_controller.go. */
export const danglingCondition: OwnCondition = {
  group: GROUP,
  resource: 'flowschemas',
  writer: 'api-priority-and-fairness-config-consumer-v1',
  operation: 'Apply',
  dependsOn: [{ group: GROUP, resource: LEVELS }],
  conditionOf(schema, find) {
    const level = objectMember(objectMember(schema, 'spec'), 'priorityLevelConfiguration');
    const name = stringMember(level, 'name') ?? '';
    const subject = `This FlowSchema references the PriorityLevelConfiguration object named ${goQuote(name)}`;
    return find(GROUP, LEVELS, '', name) === undefined
      ? {
          type: 'Dangling',
          status: 'True',
          reason: 'NotFound',
          message: `${subject} but there is no such object`,
        }
      : { type: 'Dangling', status: 'False', reason: 'Found', message: `${subject} and it exists` };
  },
};
