import { decodeMint } from '../../programs/token/state.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import { showTokenAmount, tokenUnit } from '../accounts/token-unit.ts';
import { invalidParams } from '../errors.ts';
import { commitmentConfig } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { string } from '../params/primitives.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';

/** `getTokenSupply([mint, config?])`: the supply of a token. */
export const getTokenSupply = defineMethod(
  'getTokenSupply',
  { required: [string], optional: [commitmentConfig] },
  (node, text) => {
    const address = verifyAddress(text);
    const { slot } = readHead(node, undefined);
    const account = node.ledger.getAccount(address);
    if (account === null) throw invalidParams('Invalid param: could not find account');
    if (!isTokenProgram(account.owner)) throw invalidParams('Invalid param: not a Token mint');
    const mint = decodeMint(account.data);
    if (mint === null) throw invalidParams('Invalid param: mint could not be unpacked');
    const unit = tokenUnit(mint, account.data, (other) => node.ledger.getAccount(other));
    return inContext(node, slot, showTokenAmount(mint.supply, unit));
  },
);
