import type { TokenAccountQuery } from '../../ledger/ledger.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import { invalidParams } from '../errors.ts';
import { accountInfoConfig } from '../methods/account-methods.ts';
import { verifyAddress } from '../params/keys.ts';
import { string } from '../params/primitives.ts';
import { tagged } from '../params/tagged.ts';
import { defineScan, type RpcMethod } from '../rpc-method.ts';
import { inContext, readHead, type RpcNode } from '../rpc-node.ts';
import { accountsView } from './accounts-view.ts';
import { showFoundAccounts } from './keyed-accounts.ts';
import { readMint } from './mint.ts';

/** Agave `RpcTokenAccountsFilter`. */
const tokenAccountsFilter = tagged<{ readonly by: 'mint' | 'programId'; readonly text: string }>({
  mint: { content: (value) => ({ by: 'mint', text: string(value) }) },
  programId: { content: (value) => ({ by: 'programId', text: string(value) }) },
});

/**
 * Defines a method that lists the token accounts of a wallet or a delegate, filtered by mint or token
 * program.
 */
export function defineTokenAccountsMethod(name: string, holder: TokenAccountQuery['holder']): RpcMethod {
  return defineScan(
    name,
    { required: [string, tokenAccountsFilter], optional: [accountInfoConfig] },
    function* (node, text, filter, config) {
      const address = verifyAddress(text);
      const wanted = verifyAddress(filter.text);
      const { slot } = readHead(node, config);
      const of = filter.by === 'mint' ? ofMint(node, wanted) : { program: knownProgram(wanted) };
      const view = accountsView(config, 'binary', (other) => node.ledger.getAccount(other));
      const accounts = node.ledger.tokenAccounts({ holder, address, ...of });
      const shown = yield* showFoundAccounts(accounts, () => true, { program: of.program, view });
      return inContext(node, slot, shown);
    },
  );
}

function ofMint(node: RpcNode, mint: Address): { readonly program: Address; readonly mint: Address } {
  const { tokenProgram } = readMint(node.ledger, mint);
  if (!isTokenProgram(tokenProgram)) throw invalidParams('Invalid param: not a Token mint');
  return { program: tokenProgram, mint };
}

function knownProgram(program: Address): Address {
  if (!isTokenProgram(program)) throw invalidParams('Invalid param: unrecognized Token program id');
  return program;
}
