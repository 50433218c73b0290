import { Connection, Keypair, type PublicKey } from '@solana/web3.js';
import { closeConnection } from '../../../src/rpc/pubsub/testing/close-connection.ts';
import { startClientNode, type ClientNode } from '../client-node.ts';

/** Lamports that wallets of the flows start with: rent and fees of all they do. */
const FUNDS = 20_000_000_000;

/** A ledger node and a connection to it as wallets open one: the WebSocket is found on the port behind. */
export interface ConnectedNode {
  readonly node: ClientNode;
  readonly connection: Connection;
  /** A new keypair with 20 SOL, once the cluster says that the airdrop is confirmed. */
  fundedWallet(): Promise<Keypair>;
  close(): Promise<void>;
}

export async function startConnectedNode(): Promise<ConnectedNode> {
  const node = await startClientNode();
  const connection = new Connection(node.url, 'confirmed');
  return {
    node,
    connection,
    async fundedWallet() {
      const wallet = Keypair.generate();
      await airdrop(connection, wallet.publicKey);
      return wallet;
    },
    async close() {
      closeConnection(connection);
      await node.close();
    },
  };
}

async function airdrop(connection: Connection, to: PublicKey): Promise<void> {
  const latest = await connection.getLatestBlockhash();
  const signature = await connection.requestAirdrop(to, FUNDS);
  const { value } = await connection.confirmTransaction({ signature, ...latest });
  if (value.err !== null) throw new Error(`the airdrop failed: ${JSON.stringify(value.err)}`);
}
