using System.Text.Json.Serialization;
using PerfTools.Results.Documents;
using PerfTools.Verdicts;

namespace PerfTools.Ranks;

/// <summary>Reads and writes the files of the rendezvous of ranks, by code that the build generates.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(RankDescription))]
[JsonSerializable(typeof(RolePlace))]
[JsonSerializable(typeof(RendezvousStart))]
[JsonSerializable(typeof(RankClock))]
[JsonSerializable(typeof(RendezvousNext))]
[JsonSerializable(typeof(Dictionary<string, string>))]
[JsonSerializable(typeof(RendezvousTime))]
[JsonSerializable(typeof(PortHello))]
[JsonSerializable(typeof(PortRequest))]
[JsonSerializable(typeof(PortReply))]
[JsonSerializable(typeof(RunFailure))]
[JsonSerializable(typeof(DateTime))]
[JsonSerializable(typeof(string))]
internal sealed partial class RendezvousJson : JsonSerializerContext;
