import { here } from '../stack.ts';

/** What `population.mjs` gives; it is on the built program, as what is measured. */
export interface Population {
  readonly ACCOUNTS_PER_OWNER: number;
  readonly SMALL_PROGRAM: string;
  readonly SMALL_PROGRAM_ACCOUNTS: number;
  readonly LARGE_PROGRAM: string;
  readonly LARGE_PROGRAM_ACCOUNTS: number;
  readonly ACCOUNTS_PER_MEMBER: number;
  readonly MEMBER_AT: number;
  memberAt(number: number): string;
  tokenAccountAt(number: number): string;
  readonly wallets: readonly { readonly address: string }[];
  ownerAt(number: number): string;
  signTransfer(number: number, blockhash: string): { readonly wire: Uint8Array };
}

export async function loadPopulation(): Promise<Population> {
  return (await import(here('ledger/population.mjs'))) as Population;
}
