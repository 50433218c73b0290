import { describe, expect, it } from 'vitest';
import { decodeMintExtensions, type TransferFee } from '../../programs/token/mint-extensions.ts';
import { filled, littleEndian } from '../testing/parse-call.ts';
import { mintData, withExtensions } from '../testing/token-accounts.ts';
import { plainFloatText, showExtensions } from './token-extensions.ts';

const u64 = (value: number): number[] => littleEndian(value, 8);
const float = (value: number): number[] => [...new Uint8Array(Float64Array.of(value).buffer)];
const fee = (epoch: number): number[] => [...u64(epoch), ...u64(epoch + 1), ...littleEndian(epoch + 2, 2)];

const DATA = withExtensions(mintData({}), 1, [
  [1, Uint8Array.of(...filled(1), ...filled(2), ...u64(3), ...fee(100), ...fee(200))],
  [6, Uint8Array.of(2)],
  [9, new Uint8Array()],
  [10, Uint8Array.of(...filled(4), ...u64(5), ...littleEndian(6, 2), ...u64(7), ...littleEndian(8, 2))],
  [12, Uint8Array.from(filled(9))],
  [14, Uint8Array.of(...filled(10), ...filled(11))],
  [25, Uint8Array.of(...filled(12), ...float(1.25), ...u64(13), ...float(2.5))],
  [26, Uint8Array.of(...filled(14), 1)],
]);

describe('extensions of a mint', () => {
  it('match jsonParsed when payers read them', () => {
    const read = decodeMintExtensions(DATA);
    const shownFee = ({ epoch, maximumFee, basisPoints }: TransferFee) => ({
      epoch,
      maximumFee,
      transferFeeBasisPoints: basisPoints,
    });
    const { transferFee, scaledUiAmount } = read ?? {};
    expect(showExtensions(DATA)).toMatchObject([
      {
        extension: 'transferFeeConfig',
        state: {
          olderTransferFee: transferFee && shownFee(transferFee.older),
          newerTransferFee: transferFee && shownFee(transferFee.newer),
        },
      },
      { extension: 'defaultAccountState', state: { accountState: read?.defaultState } },
      ...(read?.nonTransferable ? [{ extension: 'nonTransferable' }] : []),
      { extension: 'interestBearingConfig', state: { currentRate: read?.interestBearing?.basisPoints } },
      { extension: 'permanentDelegate', state: { delegate: read?.permanentDelegate } },
      { extension: 'transferHook', state: { programId: read?.transferHook } },
      {
        extension: 'scaledUiAmountConfig',
        state: {
          multiplier: plainFloatText(scaledUiAmount?.multiplier ?? Number.NaN),
          newMultiplier: plainFloatText(scaledUiAmount?.newMultiplier ?? Number.NaN),
          newMultiplierEffectiveTimestamp: scaledUiAmount?.newMultiplierFrom,
        },
      },
      { extension: 'pausableConfig', state: read?.pausable },
    ]);
  });
});
