/** The kinds that have conditions of the server's own. */
import { type OwnCondition } from '../own-condition.js';
import { availableCondition } from './api-service-condition.js';
import { danglingCondition } from './flow-schema-condition.js';

export const ALL_OWN_CONDITIONS: readonly OwnCondition[] = [availableCondition, danglingCondition];
