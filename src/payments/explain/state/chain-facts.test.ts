import { expect, it } from 'vitest';
import type { LedgerClient } from '../../../chain/chain.ts';
import { MAGIC_CONTEXT, MAGIC_PROGRAM, SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import type { Address } from '../../../solana/address.ts';
import { readonly, writable, writableSigner } from '../../../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../../solana/message.ts';
import { decodeTransaction } from '../../../solana/transaction.ts';
import { AddressBook } from '../address-book.ts';
import { readChainFacts } from './chain-facts.ts';

const PAYER = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;

it('does not read the Magic context (bug: over RPC no undelegation was explained, because its 5 MB exceed the limit)', async () => {
  const asked: Address[] = [];
  const node = {
    getAccounts: (addresses: readonly Address[]) => {
      asked.push(...addresses);
      return Promise.resolve(addresses.map(() => null));
    },
  } as Partial<LedgerClient> as LedgerClient;
  const instruction = {
    programId: MAGIC_PROGRAM,
    accounts: [writableSigner(PAYER), writable(MAGIC_CONTEXT), readonly(SYSTEM_PROGRAM)],
    data: new Uint8Array(4),
  };
  const message = compileLegacyMessage({
    feePayer: PAYER,
    blockhash: new Uint8Array(32).fill(1),
    instructions: [instruction],
  });
  const transaction = decodeTransaction(encodeUnsignedTransaction(message));
  await readChainFacts(node, { transaction, also: [] }, new AddressBook(), undefined);
  expect(asked).toContain(PAYER);
  expect(asked).not.toContain(MAGIC_CONTEXT);
});
