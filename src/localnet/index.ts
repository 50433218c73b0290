export { startLocalnet } from './start-localnet.ts';
export type { Gift, Holder } from './wallet.ts';
export type { Localnet, LocalnetUrls } from './localnet.ts';
export type { LocalnetOptions } from './localnet.ts';
export type { Built } from './wallet.ts';
export type { LocalnetSnapshot } from './snapshot.ts';
export type { LocalnetWallet } from './wallet.ts';
