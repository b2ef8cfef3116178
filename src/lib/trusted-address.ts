import { isLoopback } from './loopback.ts'

/** Whether nobody on the way can change what an address answers. */
export function isTrustedAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}
