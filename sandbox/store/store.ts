import { may } from './access.ts'
import { Accounts } from './accounts.ts'
import { Checks } from './actions/checks.ts'
import { WorkflowRuns } from './actions/runs.ts'
import { Workflows } from './actions/workflows.ts'
import { Administration } from './administration.ts'
import { Apps } from './apps.ts'
import { Comments } from './comments.ts'
import { Deployments } from './deployments.ts'
import { Discussions } from './discussions.ts'
import type { Node, Repository } from './entities.ts'
import { Following } from './following.ts'
import { Gists } from './gists.ts'
import { type CodeownersError, codeownersErrors } from './git/codeowners.ts'
import { Git } from './git/git.ts'
import { IssueTypes } from './issue-types.ts'
import { Issues } from './issues.ts'
import { Labels } from './labels.ts'
import { Merging } from './merging.ts'
import { Milestones } from './milestones.ts'
import { Notifications } from './notifications.ts'
import { Packages } from './packages.ts'
import { Projects } from './projects.ts'
import { PullRequests } from './pull-requests.ts'
import { Reactions } from './reactions.ts'
import { Registry } from './registry.ts'
import { Relations } from './relations.ts'
import { ReleaseAssets } from './release-assets.ts'
import { Releases } from './releases.ts'
import { Repositories } from './repositories.ts'
import { ReviewRequests } from './review-requests.ts'
import { Reviews } from './reviews.ts'
import { Rulesets } from './rulesets.ts'
import { Secrets } from './secrets.ts'
import { Security } from './security.ts'
import { Tokens } from './tokens.ts'
import { Variables } from './variables.ts'

/** GitHub's data in memory. Both APIs share it, so that they agree. Each property is a table. */
export class Store {
  readonly #registry: Registry
  readonly accounts: Accounts
  readonly tokens: Tokens
  readonly apps: Apps
  readonly repositories: Repositories
  readonly issueTypes: IssueTypes
  readonly relations: Relations
  readonly issues: Issues
  readonly pullRequests: PullRequests
  readonly merging: Merging
  readonly comments: Comments
  readonly reactions: Reactions
  readonly labels: Labels
  readonly milestones: Milestones
  readonly releases: Releases
  readonly releaseAssets: ReleaseAssets
  readonly git: Git
  readonly notifications: Notifications
  readonly following: Following
  readonly administration: Administration
  readonly security: Security
  readonly rulesets: Rulesets
  readonly deployments: Deployments
  readonly projects: Projects
  readonly gists: Gists
  readonly packages: Packages
  readonly discussions: Discussions
  readonly reviews: Reviews
  readonly reviewRequests: ReviewRequests
  readonly checks: Checks
  readonly secrets: Secrets
  readonly variables: Variables
  readonly workflows: Workflows
  readonly workflowRuns: WorkflowRuns

  /** @param clock Epoch milliseconds. */
  constructor(clock: () => number = Date.now) {
    this.#registry = new Registry(clock)
    this.accounts = new Accounts(this.#registry)
    this.tokens = new Tokens(this.#registry)
    this.apps = new Apps(this.#registry, this.accounts, this.tokens)
    this.issueTypes = new IssueTypes(this.#registry)
    this.relations = new Relations(this.#registry)
    this.git = new Git(this.#registry)
    this.repositories = new Repositories(this.#registry, this.git)
    this.issues = new Issues(this.#registry)
    this.pullRequests = new PullRequests(this.#registry, this.git)
    this.checks = new Checks(this.#registry)
    this.secrets = new Secrets(this.#registry)
    this.variables = new Variables(this.#registry)
    this.workflows = new Workflows(this.#registry)
    this.workflowRuns = new WorkflowRuns(this.#registry, this.checks)
    this.merging = new Merging(this.#registry, this.git, this.pullRequests)
    this.comments = new Comments(this.#registry)
    this.reactions = new Reactions(this.#registry)
    this.labels = new Labels(this.#registry)
    this.milestones = new Milestones(this.#registry)
    this.releases = new Releases(this.#registry, this.git)
    this.releaseAssets = new ReleaseAssets(this.#registry)
    this.notifications = new Notifications(this.#registry)
    this.following = new Following(this.#registry)
    this.administration = new Administration(this.#registry)
    this.security = new Security(this.#registry)
    this.rulesets = new Rulesets(this.#registry)
    this.deployments = new Deployments(this.#registry)
    this.projects = new Projects(this.#registry)
    this.gists = new Gists(this.#registry)
    this.packages = new Packages(this.#registry)
    this.discussions = new Discussions(this.#registry)
    this.reviews = new Reviews(this.#registry, this.git)
    this.reviewRequests = new ReviewRequests(this.#registry)
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.#registry.now()
  }

  /** The number of writes so far. */
  get writes(): number {
    return this.#registry.writes
  }

  /** The faults of a repository's CODEOWNERS. Undefined without such a file. */
  codeownersErrors(repository: Repository, revision: string): CodeownersError[] | undefined {
    return codeownersErrors(this.git, repository, revision, name => {
      const user = this.accounts.findUser(name.replace(/^@/, ''))
      return user !== undefined && may({ user, scopes: ['repo'] }, 'write', repository)
    })
  }

  /** Any object by its global id. */
  node(id: string): Node | undefined {
    return this.#registry.node(id) ?? this.git.node(id, it => this.repositories.findById(it))
  }

  nodes(): Node[] {
    return this.#registry.nodes()
  }
}
