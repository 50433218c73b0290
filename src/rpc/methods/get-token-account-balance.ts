import { decodeTokenAccount } from '../../programs/token/state.ts';
import { showTokenAmount } from '../accounts/token-unit.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import { readMint } from '../accounts/mint.ts';
import { invalidParams } from '../errors.ts';
import { commitmentConfig } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { string } from '../params/primitives.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';

/** `getTokenAccountBalance([address, config?])`: the balance of a token account. */
export const getTokenAccountBalance = defineMethod(
  'getTokenAccountBalance',
  { required: [string], optional: [commitmentConfig] },
  (node, text) => {
    const address = verifyAddress(text);
    const { slot } = readHead(node, undefined);
    const account = node.ledger.getAccount(address);
    if (account === null) throw invalidParams('Invalid param: could not find account');
    const holding = isTokenProgram(account.owner) ? decodeTokenAccount(account.data) : null;
    if (holding === null) throw invalidParams('Invalid param: not a Token account');
    const { unit } = readMint(node.ledger, holding.mint);
    return inContext(node, slot, showTokenAmount(holding.amount, unit));
  },
);
