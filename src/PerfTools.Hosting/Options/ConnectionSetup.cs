using System.Security.Authentication;
using PerfCommon;
using PerfCommon.Transport;
using PerfCommon.Transport.Tls;

namespace PerfTools.Hosting.Options;

/// <summary>Turns the options of a command line into those of the transport; the same for every tool.</summary>
internal static class ConnectionSetup
{
    /// <summary>What a client connects with.</summary>
    /// <param name="options">Checked options.</param>
    /// <param name="tool">Name of the program, part of the component version.</param>
    /// <exception cref="SetupException">A password file cannot be read.</exception>
    public static ConnectOptions ForClient(ConnectionOptions options, string tool)
    {
        ArgumentNullException.ThrowIfNull(options);
        ConnectOptions connect = new()
        {
            Host = options.Host,
            Port = options.Port,
            InterfaceName = options.InterfaceName,
            CompressionType = (CompressionType)options.Compression,
            Tls = options.UsesTls ? ForTlsClient(options.Tls) : null,
            Proxy = options.Proxy.Enabled ? ForProxy(options) : null,
            WebSocketProtocols = options.UsesWebSocket ? string.Join(',', options.SubProtocols) : null,
        };
        return (ConnectOptions)WithCommon(connect, options, tool);
    }

    /// <summary>What a server listens with and grants.</summary>
    /// <param name="options">Checked options.</param>
    /// <param name="tool">Name of the program, part of the component version.</param>
    /// <exception cref="SetupException">A password file cannot be read.</exception>
    public static ListenOptions ForServer(ConnectionOptions options, string tool)
    {
        ArgumentNullException.ThrowIfNull(options);
        ListenOptions listen = new()
        {
            Port = options.Port,
            InterfaceName = options.InterfaceName,
            MaxFragmentSize = options.MaxFragmentBytes,
            MinPingTimeoutSeconds = Math.Min(options.MinPingTimeoutSeconds, options.PingTimeoutSeconds),
            MaxConnections = options.MaxConnections,
            CompressionType = (CompressionType)options.Compression,
            CompressionLevel = options.CompressionLevel,
            Tls = options.UsesTls ? ForTlsServer(options.Tls) : null,
            WebSocketProtocols = string.Join(',', options.SubProtocols),
        };
        return (ListenOptions)WithCommon(listen, options, tool);
    }

    private static ChannelOptions WithCommon(ChannelOptions channel, ConnectionOptions options, string tool) => channel with
    {
        PingTimeoutSeconds = options.PingTimeoutSeconds,
        OutputBuffers = options.OutputBuffers,
        MaxOutputBuffers = options.MaxOutputBuffers,
        InputBuffers = options.InputBuffers,
        SendBufferBytes = options.SendBufferBytes,
        ReceiveBufferBytes = options.ReceiveBufferBytes,
        SendTimeoutMillis = options.SendTimeoutMillis,
        ReceiveTimeoutMillis = options.ReceiveTimeoutMillis,
        TcpDelay = options.TcpDelay,
        HighWaterMark = options.HighWaterMark,
        DirectWrite = options.DirectWrite,
        ComponentVersion = $"PerfTools|{tool}",
        HandshakeTimeoutSeconds = options.HandshakeTimeoutSeconds,
        MaxReassembledBytes = options.MaxMessageBytes,
        ReassemblyLimitBytes = options.ReassemblyBytes,
    };

    private static PerfCommon.Transport.Proxy.ProxyOptions ForProxy(ConnectionOptions options) => new()
    {
        Host = options.Proxy.Host,
        Port = options.Proxy.Port,
        UserName = options.Proxy.UserName.Length > 0 ? options.Proxy.UserName : null,
        Password = options.Proxy.Password.Reveal(),
    };

    private static TlsClientSettings ForTlsClient(TlsOptions tls) =>
        TlsClientSettings.Load(tls.AuthorityFile, tls.SkipCertificateCheck, VersionsOf(tls));

    private static TlsServerSettings ForTlsServer(TlsOptions tls) =>
        TlsServerSettings.Load(tls.CertificateFile!, tls.KeyFile!, tls.KeyPassword.Reveal(), tls.CipherSuites, VersionsOf(tls));

    private static SslProtocols VersionsOf(TlsOptions tls) => (tls.Tls12, tls.Tls13) switch
    {
        (true, false) => SslProtocols.Tls12,
        (false, true) => SslProtocols.Tls13,
        _ => TlsVersions.Default,
    };
}
