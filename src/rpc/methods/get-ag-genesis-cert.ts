import { defineMethod } from '../rpc-method.ts';

/**
 * `getAgGenesisCert()`: the certificate of the first block of Alpenglow; null as on every cluster that has
 * not moved to it (Agave 4.3).
 */
export const getAgGenesisCert = defineMethod('getAgGenesisCert', { required: [], optional: [] }, () => null);
