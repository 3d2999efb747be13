// Every address of the Studio. Filters are part of it, so that any view can be shared.

import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import {
  cortexSearch,
  forgeSearch,
  homeSearch,
  playgroundSearch,
  registrySearch,
  sessionSearch,
  sessionsSearch,
  setupSearch,
  skillSearch,
  skillsSearch,
} from "./lib/addresses";
import { Home } from "./pages/Home";
import { SkillsPage } from "./pages/skills/SkillsPage";
import { Shell } from "./shell/Shell";

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <div className="page">
      <h1>Page not found</h1>
      <p>
        <Link to="/">Go to the home page</Link>
      </p>
    </div>
  ),
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: homeSearch,
  component: Home,
});

const skills = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId/skills",
  validateSearch: skillsSearch,
  component: SkillsPage,
});

const skill = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId/skills/$name",
  validateSearch: skillSearch,
  component: lazyRouteComponent(() => import("./pages/skill/SkillPage"), "SkillPage"),
});

const agentSettings = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId/settings",
  validateSearch: homeSearch,
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: "/", search: { ...search, settingsAgentId: params.agentId }, replace: true });
  },
});

const agents = createRoute({
  getParentRoute: () => root,
  path: "/agents",
  beforeLoad: () => {
    throw redirect({ to: "/", replace: true });
  },
});

const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  validateSearch: setupSearch,
  component: lazyRouteComponent(() => import("./pages/setup/SetupPage"), "SetupPage"),
});

const playground = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId/playground",
  validateSearch: playgroundSearch,
  component: lazyRouteComponent(() => import("./pages/playground/PlaygroundPage"), "PlaygroundPage"),
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId/sessions",
  validateSearch: sessionsSearch,
  component: lazyRouteComponent(() => import("./pages/sessions/SessionsPage"), "SessionsPage"),
});

const session = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId/sessions/$session",
  validateSearch: sessionSearch,
  component: lazyRouteComponent(() => import("./pages/sessions/SessionPage"), "SessionPage"),
});

const registry = createRoute({
  getParentRoute: () => root,
  path: "/registry",
  validateSearch: registrySearch,
  component: lazyRouteComponent(() => import("./pages/registry/RegistryPage"), "RegistryPage"),
});

const cortex = createRoute({
  getParentRoute: () => root,
  path: "/cortex",
  validateSearch: cortexSearch,
  component: lazyRouteComponent(() => import("./pages/cortex/CortexPage"), "CortexPage"),
});

const forge = createRoute({
  getParentRoute: () => root,
  path: "/forge",
  validateSearch: forgeSearch,
  component: lazyRouteComponent(() => import("./pages/forge/ForgePage"), "ForgePage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    skills,
    skill,
    agentSettings,
    agents,
    setup,
    playground,
    sessions,
    session,
    registry,
    cortex,
    forge,
  ]),
  defaultPreload: "intent",
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const texts = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
    const query = new URLSearchParams(texts.map(([key, value]) => [key, String(value)])).toString();
    return query ? `?${query}` : "";
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
