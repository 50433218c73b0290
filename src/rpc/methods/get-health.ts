import { defineMethod } from '../rpc-method.ts';

/** `getHealth()`: a ledger of one node cannot be behind, so the answer is always `ok`. */
export const getHealth = defineMethod('getHealth', { required: [], optional: [] }, () => 'ok');
