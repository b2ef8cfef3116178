/** Starts workers that end while they ask for the shared socket. Prints how many of them the primary process saw to the end. */
import cluster from 'node:cluster'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Member } from '../../../src/gateway/workers/member.ts'

const WORKERS = 16
const PATIENCE_MS = 10_000

if (cluster.isPrimary) {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ serialization: 'advanced' })
  let ended = 0
  for (let slot = 1; slot <= WORKERS; slot++) {
    const member = new Member(cluster.fork(), slot, null)
    const isEnded = member.ended.then(() => true)
    if (await Promise.race([isEnded, delay(PATIENCE_MS, false)])) ended++
  }
  console.log(`${ended} of ${WORKERS}`)
  process.exit(0)
} else {
  process.on('message', () => {})
  createServer().listen(0, '127.0.0.1')
  setImmediate(() => process.exit(0))
}
