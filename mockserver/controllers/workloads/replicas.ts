/** Counts that specs and statuses hold. */
import { numberMember, objectMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';

export const specNumber = (object: ApiObject, name: string, absent: number): number =>
  numberMember(objectMember(object, 'spec'), name) ?? absent;

/** 0 when absent. */
export const statusNumber = (object: ApiObject, name: string): number =>
  numberMember(objectMember(object, 'status'), name) ?? 0;
