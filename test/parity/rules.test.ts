import { testDomain } from './test-domain.ts'

await testDomain('rules')
