using PerfCommon.Domains;
using PerfCommon.Transport;

namespace PerfHub.Upstream;

/// <summary>An interactive source and the options of its requests.</summary>
/// <param name="Connect">Where it is, and how to connect.</param>
/// <param name="ServiceName">The only service that is used; null for all.</param>
/// <param name="Identity">The identity of the login.</param>
/// <param name="OwnDictionary">The dictionary for a source that provides none.</param>
internal sealed record UpstreamOptions(ConnectOptions Connect, string? ServiceName, LoginIdentity Identity, FieldDictionary OwnDictionary);
