import { contextConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';

/** The answer of the engine's stake program to `GetMinimumDelegation`, lamports. */
const MINIMUM_DELEGATION = 1_000_000_000;

/** `getStakeMinimumDelegation([config?])`: the minimum stake delegation, lamports. */
export const getStakeMinimumDelegation = defineMethod(
  'getStakeMinimumDelegation',
  { required: [], optional: [contextConfig] },
  (node, config) => inContext(node, readHead(node, config).slot, MINIMUM_DELEGATION),
);
