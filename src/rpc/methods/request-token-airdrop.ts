import { verifyAddress } from '../params/keys.ts';
import { baseUnits, string } from '../params/primitives.ts';
import { defineMethod } from '../rpc-method.ts';

/**
 * `requestTokenAirdrop([owner, mint, amount])`: mints `amount` base units (u64, as a number or a decimal
 * string) to the owner's associated token account, which is created if missing. Returns the signature. Exists
 * on this ledger only.
 */
export const requestTokenAirdrop = defineMethod(
  'requestTokenAirdrop',
  { required: [string, string, baseUnits], optional: [] },
  (node, ownerText, mintText, amount) => {
    const owner = verifyAddress(ownerText);
    const mint = verifyAddress(mintText);
    return node.ledger.airdropTokens(owner, mint, amount);
  },
);
