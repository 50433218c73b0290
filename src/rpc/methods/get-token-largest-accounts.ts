import { isTokenProgram } from '../../programs/token/token-program.ts';
import { largestHoldings } from '../accounts/largest-holdings.ts';
import { readMint } from '../accounts/mint.ts';
import { showTokenAmount } from '../accounts/token-unit.ts';
import { invalidParams } from '../errors.ts';
import { commitmentConfig } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { string } from '../params/primitives.ts';
import { defineScan } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';
import { takeSnapshot } from '../scan/snapshot.ts';

/** Most accounts returned (Agave `NUM_LARGEST_ACCOUNTS`). */
const LARGEST_ACCOUNTS = 20;

/**
 * `getTokenLargestAccounts([mint, config?])`: the largest token accounts of a mint, frozen and empty ones
 * included.
 */
export const getTokenLargestAccounts = defineScan(
  'getTokenLargestAccounts',
  { required: [string], optional: [commitmentConfig] },
  function* (node, text) {
    const mint = verifyAddress(text);
    const { slot } = readHead(node, undefined);
    const { tokenProgram, unit } = readMint(node.ledger, mint);
    if (!isTokenProgram(tokenProgram)) throw invalidParams('Invalid param: not a Token mint');
    const ofMint = { holder: 'mint', address: mint, program: tokenProgram } as const;
    const accounts = yield* takeSnapshot(node.ledger.tokenAccounts(ofMint));
    const largest = yield* largestHoldings(accounts, LARGEST_ACCOUNTS);
    const value = largest.map(({ address, amount }) =>
      Object.assign({ address }, showTokenAmount(amount, unit)),
    );
    return inContext(node, slot, value);
  },
);
