import { deriveMintVault } from '../../../src/payments/accounts/deposit-accounts.ts';
import { RENT_PDA } from '../../../src/payments/fees/costs.ts';
import {
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../../../src/programs/addresses.ts';
import { deriveTransferQueue } from '../../../src/programs/ephemeral-token/pdas.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ELSEWHERE, usdcOf } from '../extras/eata-program.ts';
import { ANY, DANGER, NOT_CLEAR, type Row } from '../row.ts';
import { rebuilt, withAddress, withAddressInData } from '../transaction-parts.ts';
import { type HostNameB, HOSTS_B } from '../world/hosts-b.ts';
import { strange } from '../world/kit.ts';
import { ALICE, BOB, THIEF, VALIDATOR, type WorldB } from '../world/world-b.ts';

type Swap = readonly [what: string, alone: Row['alone'], found: Address, put: Address];

const rowsOf = (host: HostNameB, swaps: readonly Swap[]): Row<WorldB>[] =>
  swaps.map(([what, alone, found, put]) => ({
    name: `layout B ${host}, with ${what}`,
    alone,
    asked: ['no'],
    make: async (world) =>
      rebuilt(await HOSTS_B[host](world), (parts) => {
        const changed = withAddressInData(withAddress(parts, found, put), found, put);
        if (JSON.stringify(changed) === JSON.stringify(parts))
          throw new Error(`${found} is not in the ${host}`);
        return changed;
      }),
  }));

const [alice, bob, thief] = [usdcOf(ALICE), usdcOf(BOB), usdcOf(THIEF)];
const { vaultAta } = deriveMintVault(USDC_MINT, TOKEN_PROGRAM);
const [queue, queueElsewhere] = [
  deriveTransferQueue(USDC_MINT, VALIDATOR).address,
  deriveTransferQueue(USDC_MINT, ELSEWHERE).address,
];

const OTHER_VALIDATOR: Swap = ['another validator', DANGER, VALIDATOR, ELSEWHERE];
const OTHER_MINT: Swap = ['another mint', DANGER, USDC_MINT, USDC_DEVNET_MINT];
const OTHER_PROGRAM: Swap = ['Token-2022 for SPL Token', DANGER, TOKEN_PROGRAM, TOKEN_2022_PROGRAM];
const OTHER_RENT: Swap = ['a stranger for the rent PDA', DANGER, RENT_PDA, strange(250)];
const OWN_ACCOUNT: Swap = ["the thief's token account for her own", DANGER, alice.ownerAta, thief.ownerAta];
const VAULT_ACCOUNT: Swap = ["the thief's token account for the vault's", DANGER, vaultAta, thief.ownerAta];
const EVERYWHERE: Swap = ['the thief in her place everywhere', ANY, ALICE, THIEF];

const byShuttle: readonly Swap[] = [OTHER_VALIDATOR, OTHER_MINT, OTHER_PROGRAM, OTHER_RENT, EVERYWHERE];

/** Transactions of layout B in which one account is replaced with another. */
export const SWAP_ROWS_B: readonly Row<WorldB>[] = [
  ...rowsOf('deposit', [
    ...byShuttle,
    VAULT_ACCOUNT,
    ['the eATA of the thief', DANGER, alice.eata, thief.eata],
  ]),
  ...rowsOf('withdraw', [...byShuttle, OWN_ACCOUNT]),
  ...rowsOf('privateTransfer', [
    ...byShuttle,
    VAULT_ACCOUNT,
    ['the queue of another validator', DANGER, queue, queueElsewhere],
    ['a stranger for the queue', DANGER, queue, strange(251)],
  ]),
  ...rowsOf('toRollup', [
    ...byShuttle,
    VAULT_ACCOUNT,
    ['the thief for the recipient', ANY, bob.ownerAta, thief.ownerAta],
    ['a stranger for the recipient', NOT_CLEAR, bob.ownerAta, strange(252)],
  ]),
  ...rowsOf('toRollupWithAccounts', [
    ...byShuttle,
    ['the eATA of the thief', DANGER, bob.eata, thief.eata],
    ['the token account of the thief', DANGER, bob.ownerAta, thief.ownerAta],
    ['the thief as the one who is set up', DANGER, BOB, THIEF],
  ]),
  ...rowsOf('fromRollup', [
    OTHER_MINT,
    ['the thief for the recipient', ANY, BOB, THIEF],
    ['a stranger for the queue', DANGER, queue, strange(251)],
    ["the thief's token account for her own", NOT_CLEAR, alice.ownerAta, thief.ownerAta],
  ]),
  ...rowsOf('onRollup', [
    ['the thief for the recipient', ANY, bob.ownerAta, thief.ownerAta],
    ["the thief's token account for her own", NOT_CLEAR, alice.ownerAta, thief.ownerAta],
  ]),
  ...rowsOf('undelegate', [
    ['the thief in her place everywhere', NOT_CLEAR, ALICE, THIEF],
    ["the thief's eATA", NOT_CLEAR, alice.eata, thief.eata],
  ]),
  ...rowsOf('stealthSetup', [OTHER_VALIDATOR, EVERYWHERE]),
  ...rowsOf('stealthUpdate', [['the thief for the one who is paid', ANY, BOB, THIEF], EVERYWHERE]),
  ...rowsOf('initializeMint', [OTHER_VALIDATOR, EVERYWHERE, OTHER_RENT]),
];
