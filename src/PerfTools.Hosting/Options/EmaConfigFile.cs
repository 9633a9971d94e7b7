using System.Globalization;
using System.Xml;
using System.Xml.Linq;
using PerfCommon;
using PerfCommon.MsgData;
using PerfCommon.Transport;
using PerfCommon.Transport.WebSockets;

namespace PerfTools.Hosting.Options;

/// <summary>The sections of an EMA configuration that a program of a role reads.</summary>
/// <param name="Element">A section of the role; its group, list and default are named after it.</param>
/// <param name="Link">The element in it that names the section of the connection.</param>
/// <param name="IsProvider">True for a role with a service.</param>
internal sealed record EmaRole(string Element, string Link, bool IsProvider)
{
    public static EmaRole Consumer { get; } = new("Consumer", "Channel", IsProvider: false);
    public static EmaRole Provider { get; } = new("IProvider", "Server", IsProvider: true);
    public static EmaRole Publisher { get; } = new("NiProvider", "Channel", IsProvider: true);
}

/// <summary>An EMA configuration: <c>&lt;Name value="..."/&gt;</c> in sections, of which one names the section of the connection.</summary>
internal sealed partial class EmaConfigFile
{
    private const int MaxBytes = 4 * 1024 * 1024;
    private const int MaxDepth = 32;

    private static readonly XmlReaderSettings Settings = new() { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null };

    private readonly string _path;
    private readonly XElement _root;

    private EmaConfigFile(string path, XElement root) => (_path, _root) = (path, root);

    /// <summary>Returns the defaults as changed by the file that the options name.</summary>
    /// <param name="options">
    /// The options with the names of the file (a bare name is searched in the working directory and in the program's) and of the section; without one
    /// the default section, or the first.
    /// </param>
    /// <param name="role">The role of the section.</param>
    /// <param name="defaults">The values for all that the file does not set.</param>
    /// <returns>Null where no file is named.</returns>
    /// <exception cref="SetupException">The file cannot be used.</exception>
    public static RoleOptions? FindDefaults(RoleOptions options, EmaRole role, RoleOptions defaults) =>
        options.Session.EmaConfig is { } path ? Load(InputFile.Find(path)).ReadDefaults(options.Session.EmaName, role, defaults) : null;

    /// <summary>Returns the defaults as changed by a section.</summary>
    /// <param name="name">The section; null for the default, or the first.</param>
    /// <param name="role">The role of the section.</param>
    /// <param name="defaults">The defaults.</param>
    /// <exception cref="SetupException">The section does not exist, or a value cannot be used.</exception>
    public RoleOptions ReadDefaults(string? name, EmaRole role, RoleOptions defaults)
    {
        List<string> unused = [];
        RoleOptions filled = defaults;
        foreach (XElement parameter in FindSection(role.Element, name).Elements())
            filled = FillRole(parameter, role, filled, unused);
        return filled with { Session = filled.Session with { EmaUnused = unused.Count == 0 ? null : string.Join(", ", unused) } };
    }

    private RoleOptions FillRole(XElement parameter, EmaRole role, RoleOptions options, List<string> unused)
    {
        switch (NameOf(parameter))
        {
            case "Name":
                return options;
            case var link when link == role.Link:
                return options with { Connection = FillConnection(FindSection(link, Text(parameter)), options.Connection, unused) };
            case "Directory" when role.IsProvider:
                return FillDirectory(FindSection("Directory", Text(parameter)), options, unused);
            case "Dictionary" when !role.IsProvider:
                return options with { Session = FillDictionary(FindSection("Dictionary", Text(parameter)), options.Session, unused) };
            case "MaxDispatchCountApiThread":
                return options with { Session = options.Session with { MaxDispatchOfApi = Count(parameter) } };
            case "MaxDispatchCountUserThread":
                return options with { Session = options.Session with { MaxDispatchOfUser = Count(parameter) } };
            default:
                unused.Add(NameOf(parameter));
                return options;
        }
    }

    private static EmaConfigFile Load(string path)
    {
        try
        {
            return Read(path, LimitedFile.Read(path, MaxBytes));
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw FileErrors.Unreadable(path, cause);
        }
    }

    /// <summary>Reads a configuration.</summary>
    /// <param name="path">Its name in messages.</param>
    /// <param name="text">All of the file.</param>
    /// <exception cref="SetupException">It is no XML, or nested too deeply.</exception>
    public static EmaConfigFile Read(string path, byte[] text)
    {
        try
        {
            CheckDepth(path, text);
            using XmlReader reader = XmlReader.Create(new MemoryStream(text, writable: false), Settings);
            return new EmaConfigFile(path, XDocument.Load(reader, LoadOptions.SetLineInfo).Root!);
        }
        catch (XmlException cause)
        {
            throw FileErrors.Input(path, PrintableText.From(cause.Message), cause);
        }
    }

    // The parser walks up to the root for each element: without a limit, a file twice as deep costs four times as much.
    private static void CheckDepth(string path, byte[] text)
    {
        using XmlReader reader = XmlReader.Create(new MemoryStream(text, writable: false), Settings);
        while (reader.Read())
        {
            if (reader.NodeType == XmlNodeType.Element && reader.Depth >= MaxDepth)
                throw Error(path, reader, $"<{PrintableText.From(reader.LocalName)}> is more than {MaxDepth} elements deep");
        }
    }

    private XElement FindSection(string element, string? name)
    {
        XElement? group = _root.Element($"{element}Group");
        XElement[] sections = [.. group?.Element($"{element}List")?.Elements(element) ?? []];
        string? wanted = name ?? ValueOf(group?.Element($"Default{element}"));
        return sections.FirstOrDefault(section => wanted is null || ValueOf(section.Element("Name")) == wanted)
            ?? throw FileErrors.Input(_path,
                $"there is no {element}{(wanted is null ? "" : $" \"{PrintableText.From(wanted)}\"")} in {element}Group");
    }

    private ConnectionOptions FillConnection(XElement section, ConnectionOptions connection, List<string> unused)
    {
        foreach (XElement parameter in section.Elements())
        {
            if (NameOf(parameter) == "Name")
                continue;
            ConnectionOptions? filled = Fill(parameter, connection);
            if (filled is null)
                unused.Add(NameOf(parameter));
            connection = filled ?? connection;
        }

        return LeaveOut(connection, unused);
    }

    // The parameters that only other kinds of connections have.
    private static ConnectionOptions LeaveOut(ConnectionOptions connection, List<string> unused)
    {
        if (!connection.UsesTls && connection.InsideTls != ConnectionKind.Socket)
        {
            connection = connection with { InsideTls = ConnectionKind.Socket };
            unused.Add("EncryptedProtocolType");
        }

        if (connection.UsesWebSocket || connection.PreferredProtocols is null)
            return connection;
        unused.Add("WsProtocols");
        return connection with { PreferredProtocols = null };
    }

    // Null for an unknown parameter.
    private ConnectionOptions? Fill(XElement parameter, ConnectionOptions connection) => NameOf(parameter) switch
    {
        "ChannelType" or "ServerType" => connection with { Kind = KindOf(parameter) },
        "EncryptedProtocolType" => connection with { InsideTls = KindOf(parameter) },
        "Host" => connection with { Client = connection.Client with { Host = Text(parameter) } },
        "MaxFragmentSize" => connection with { Server = connection.Server with { MaxFragmentSize = Number(parameter) } },
        "WsProtocols" => connection with { PreferredProtocols = ProtocolOf(parameter) },
        "Port" => connection.ChangeChannel(channel => channel with { Port = Number(parameter) }),
        "InterfaceName" => connection.ChangeChannel(channel => channel with { InterfaceName = Text(parameter) is { Length: > 0 } name ? name : null }),
        "CompressionType" => connection.ChangeChannel(channel => channel with { CompressionType = CompressionOf(parameter) }),
        "GuaranteedOutputBuffers" => connection.ChangeChannel(channel => channel with { OutputBuffers = Number(parameter) }),
        "NumInputBuffers" => connection.ChangeChannel(channel => channel with { InputBuffers = Number(parameter) }),
        "ConnectionPingTimeout" => connection.ChangeChannel(channel => channel with { PingTimeoutSeconds = Number(parameter) / 1000 }),
        "TcpNodelay" or "TcpNoDelay" => connection.ChangeChannel(channel => channel with { TcpDelay = Number(parameter) == 0 }),
        "DirectWrite" => connection.ChangeChannel(channel => channel with { DirectWrite = Number(parameter) != 0 }),
        "HighWaterMark" => connection.ChangeChannel(channel => channel with { HighWaterMark = Number(parameter) }),
        "SysSendBufSize" => connection.ChangeChannel(channel => channel with { SendBufferBytes = Number(parameter) }),
        "SysRecvBufSize" => connection.ChangeChannel(channel => channel with { ReceiveBufferBytes = Number(parameter) }),
        _ => null,
    };

    private ConnectionKind KindOf(XElement parameter) => WordOf(parameter) switch
    {
        "RSSL_SOCKET" => ConnectionKind.Socket,
        "RSSL_ENCRYPTED" => ConnectionKind.Encrypted,
        "RSSL_WEBSOCKET" => ConnectionKind.WebSocket,
        _ => throw Error(parameter, "RSSL_SOCKET, RSSL_ENCRYPTED or RSSL_WEBSOCKET"),
    };

    private CompressionType CompressionOf(XElement parameter) => WordOf(parameter).ToUpperInvariant() switch
    {
        "NONE" => CompressionType.None,
        "ZLIB" => CompressionType.Zlib,
        "LZ4" => CompressionType.Lz4,
        _ => throw Error(parameter, "None, ZLib or LZ4"),
    };

    // Of a list such as "tr_json2, rssl.rwf", the first protocol that our programs for it support.
    private string ProtocolOf(XElement parameter) =>
        Text(parameter).Split([',', ' '], StringSplitOptions.RemoveEmptyEntries).Any(name => WebSocketProtocol.Is(name, WebSocketProtocol.Rwf))
            ? WebSocketProtocol.Rwf : throw Error(parameter, $"a list with {WebSocketProtocol.Rwf}, the protocol that is spoken here");

    private int Count(XElement parameter) => Number(parameter) is var count and > 0 ? count : throw Error(parameter, "at least 1");

    private int Number(XElement parameter) =>
        int.TryParse(Text(parameter), NumberStyles.None, CultureInfo.InvariantCulture, out int number)
            ? number : throw Error(parameter, "a whole number of 0 or more");

    // Values of an enumeration may name it: ChannelType::RSSL_SOCKET.
    private string WordOf(XElement parameter) => Text(parameter).Split("::")[^1];

    private string Text(XElement parameter) => ValueOf(parameter) ?? throw Error(parameter, "an attribute value=\"...\"");

    private SetupException Error(XElement parameter, string expected) =>
        Error(_path, parameter, $"{NameOf(parameter)} \"{PrintableText.From(ValueOf(parameter) ?? "")}\" is not {expected}");

    private static SetupException Error(string path, object place, string what) => new(
        SetupProblem.InputFile,
        string.Create(CultureInfo.InvariantCulture,
            $"{PrintableText.From(path, PrintableText.MaxLineChars)}({((IXmlLineInfo)place).LineNumber}): {what}"));

    private static string? ValueOf(XElement? element) => element?.Attribute("value")?.Value;

    private static string NameOf(XElement element) => PrintableText.From(element.Name.LocalName);
}
