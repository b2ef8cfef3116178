import { accountRoutes } from './accounts.ts'
import { administrationRoutes } from './administration.ts'
import { installationRoutes } from './apps.ts'
import { assigneeRoutes } from './assignees.ts'
import { branchRuleRoutes } from './branch-rules.ts'
import type { RouteTable } from './call.ts'
import { checkRoutes } from './checks.ts'
import { codeScanningRoutes } from './code-scanning.ts'
import { codeownerRoutes } from './codeowners.ts'
import { collaboratorRoutes } from './collaborators.ts'
import { commentRoutes } from './comments.ts'
import { commitRoutes } from './commits.ts'
import { contentRoutes } from './contents.ts'
import { dependabotRoutes } from './dependabot.ts'
import { deploymentRoutes } from './deployments.ts'
import { environmentRoutes } from './environments.ts'
import { followingRoutes } from './following.ts'
import { gistRoutes } from './gists.ts'
import { gitRoutes } from './git-data.ts'
import { gitObjectRoutes } from './git-objects.ts'
import { issueTypeRoutes } from './issue-types.ts'
import { issueRoutes } from './issues.ts'
import { labelRoutes } from './labels.ts'
import { lockRoutes } from './locks.ts'
import { metaRoutes } from './meta.ts'
import { milestoneRoutes } from './milestones.ts'
import { notificationRoutes } from './notifications.ts'
import { packageRoutes } from './packages.ts'
import { pendingDeploymentRoutes } from './pending-deployments.ts'
import { projectRoutes } from './projects.ts'
import { pullChangeRoutes } from './pull-changes.ts'
import { pullMedia, pullRoutes } from './pulls.ts'
import { reactionRoutes } from './reactions.ts'
import { relationRoutes } from './relations.ts'
import { releaseAssetMedia, releaseAssetRoutes } from './release-assets.ts'
import { releaseRoutes } from './releases.ts'
import { repositoryRoutes } from './repositories.ts'
import { repositoryChangeRoutes } from './repository-changes.ts'
import { reviewCommentRoutes } from './review-comments.ts'
import { reviewRoutes } from './reviews.ts'
import { rulesetRoutes } from './rulesets.ts'
import { searchMedia, searchRoutes } from './search.ts'
import { secretScanningRoutes } from './secret-scanning.ts'
import { secretRoutes } from './secrets.ts'
import { statusRoutes } from './statuses.ts'
import { variableRoutes } from './variables.ts'
import { workflowRunRoutes } from './workflow-runs.ts'
import { workflowRoutes } from './workflows.ts'

/** The modelled endpoints. To add a resource, add a file next to this one and a line here. */
export const routes: RouteTable = {
  ...metaRoutes,
  ...accountRoutes,
  ...repositoryRoutes,
  ...repositoryChangeRoutes,
  ...commitRoutes,
  ...contentRoutes,
  ...gitRoutes,
  ...gitObjectRoutes,
  ...codeownerRoutes,
  ...issueRoutes,
  ...commentRoutes,
  ...labelRoutes,
  ...assigneeRoutes,
  ...lockRoutes,
  ...relationRoutes,
  ...milestoneRoutes,
  ...issueTypeRoutes,
  ...pullRoutes,
  ...branchRuleRoutes,
  ...rulesetRoutes,
  ...reviewRoutes,
  ...reviewCommentRoutes,
  ...pullChangeRoutes,
  ...reactionRoutes,
  ...releaseRoutes,
  ...releaseAssetRoutes,
  ...searchRoutes,
  ...checkRoutes,
  ...statusRoutes,
  ...workflowRoutes,
  ...secretRoutes,
  ...variableRoutes,
  ...workflowRunRoutes,
  ...notificationRoutes,
  ...followingRoutes,
  ...administrationRoutes,
  ...collaboratorRoutes,
  ...deploymentRoutes,
  ...environmentRoutes,
  ...pendingDeploymentRoutes,
  ...codeScanningRoutes,
  ...dependabotRoutes,
  ...secretScanningRoutes,
  ...projectRoutes,
  ...gistRoutes,
  ...packageRoutes,
  ...installationRoutes,
}

/** Endpoint → formats that it offers besides JSON. */
export const mediaOf: Readonly<Record<string, readonly string[]>> = {
  ...pullMedia,
  ...searchMedia,
  ...releaseAssetMedia,
}
