import type { Tool } from '#spec/ports';
import { skillManage } from './skill-manage.ts';
import { skillRun } from './skill-run.ts';
import { skillView } from './skill-view.ts';
import { skillsList } from './skills-list.ts';
import type { SkillToolDeps } from './tool-deps.ts';

/** The tools through which a model finds, reads, writes and runs skills. */
export function skillTools(deps: SkillToolDeps): Tool[] {
  const { writer, runWorkflow } = deps;
  return [
    skillsList(deps),
    skillView(deps),
    ...(writer ? [skillManage({ ...deps, writer })] : []),
    ...(runWorkflow ? [skillRun(runWorkflow)] : []),
  ];
}
