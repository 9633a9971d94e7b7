using PerfCommon.Domains;
using PerfCommon.Transport;

namespace PerfHub.Upstream;

/// <summary>An interactive source and how it is asked.</summary>
/// <param name="Connect">Where it is, and how to connect.</param>
/// <param name="ServiceName">The only service that is taken; null for all.</param>
/// <param name="Identity">Who logs in.</param>
/// <param name="OwnDictionary">For a source that hands none out.</param>
internal sealed record UpstreamOptions(ConnectOptions Connect, string? ServiceName, LoginIdentity Identity, FieldDictionary OwnDictionary);
