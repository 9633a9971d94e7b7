using Fuzz.Targets;
using PerfCommon.Transport;

namespace Fuzz;

/// <summary>All readers of external bytes, each once.</summary>
internal static class FuzzTargets
{
    private const int Small = 64 * 1024;
    private const int Large = 1024 * 1024;

    public static IReadOnlyList<FuzzTarget> All { get; } =
    [
        new("frames", FrameTarget.ReadPlain, () => FrameTarget.CreateSamples(CompressionType.None), Large, 64),
        new("frames-zlib", FrameTarget.ReadZlib, () => FrameTarget.CreateSamples(CompressionType.Zlib), Large, 64),
        new("frames-lz4", FrameTarget.ReadLz4, () => FrameTarget.CreateSamples(CompressionType.Lz4), Large, 64),
        new("handshake-server", HandshakeTarget.ReadAsServer, HandshakeTarget.CreateRequests, Small, 64),
        new("handshake-client", HandshakeTarget.ReadAsClient, HandshakeTarget.CreateAnswers, Small, 64),
        new("websocket-server", WebSocketTarget.ReadAsServer, WebSocketTarget.CreateRequests, Large, 128),
        new("websocket-client", WebSocketTarget.ReadAsClient, WebSocketTarget.CreateAnswers, Large, 128),
        new("proxy", ProxyTarget.Read, ProxyTarget.CreateSamples, Small, 128),
        new("http", HttpTarget.Read, HttpTarget.CreateSamples, Small, 128),
        new("lz4", Lz4Target.Read, Lz4Target.CreateSamples, Small, 0),
        new("zlib", ZlibTarget.Read, ZlibTarget.CreateSamples, Large, 16),
        new("message", MessageTarget.ReadMessage, MessageTarget.CreateMessages, Small, 0),
        new("container", MessageTarget.ReadContainer, MessageTarget.CreateContainers, Small, 0),
        new("field-list", FieldListTarget.Read, FieldListTarget.CreateSamples, Small, 16),
        new("login", DomainTarget.ReadLogin, MessageTarget.CreateMessages, Small, 64),
        new("directory", DomainTarget.ReadDirectory, MessageTarget.CreateMessages, Small, 64),
        new("dictionary", DomainTarget.ReadDictionary, DomainTarget.CreateDictionaryParts, Large, 128),
        new("items", DomainTarget.ReadItems, MessageTarget.CreateMessages, Small, 16),
        new("dictionary-file", TextTarget.ReadFields, TextTarget.CreateFieldFiles, Large, 128),
        new("enum-file", TextTarget.ReadEnums, TextTarget.CreateEnumFiles, Large, 128),
        new("messages-xml", TextTarget.ReadMessages, TextTarget.CreateMessageFiles, Large, 256),
        new("items-xml", TextTarget.ReadItemList, TextTarget.CreateItemFiles, Large, 128),
        new("ema-config", EmaTarget.Read, EmaTarget.CreateSamples, Large, 128),
        new("histogram", HistogramTarget.ReadPlain, HistogramTarget.CreatePlain, Large, 16),
        new("histogram-log", HistogramTarget.ReadLog, HistogramTarget.CreateLogs, Large, 64),
    ];

    /// <summary>Returns the target of this name; null for none.</summary>
    public static FuzzTarget? Find(string name) => All.FirstOrDefault(target => target.Name == name);
}
