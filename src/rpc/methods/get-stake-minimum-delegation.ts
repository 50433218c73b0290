import { contextConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';

/** What the stake program of the ledger's engine answers to `GetMinimumDelegation`, lamports. */
const MINIMUM_DELEGATION = 1_000_000_000;

/** `getStakeMinimumDelegation([config?])`: lamports below which no stake can be delegated. */
export const getStakeMinimumDelegation = defineMethod(
  'getStakeMinimumDelegation',
  { required: [], optional: [contextConfig] },
  (node, config) => inContext(node, readHead(node, config).slot, MINIMUM_DELEGATION),
);
