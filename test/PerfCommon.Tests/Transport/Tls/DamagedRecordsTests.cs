using System.Security.Authentication;
using PerfCommon.Transport;
using PerfCommon.Transport.Tls;
using Xunit;

namespace PerfCommon.Tests.Transport.Tls;

/// <summary>
/// TLS records that are changed in transit: the receiver returns the sent bytes, from their beginning, or nothing; never anything else.
/// </summary>
public sealed class DamagedRecordsTests(TlsFiles files) : IClassFixture<TlsFiles>
{
    private const int Rounds = 60;
    private const int Records = 6;

    private readonly BufferPool _pool = new();

    [Theory]
    [InlineData(SslProtocols.Tls12)]
    [InlineData(SslProtocols.Tls13)]
    public void Receive_DamagedRecords_NeverGivesWhatWasNotSent(SslProtocols version)
    {
        TlsClientSettings client = TlsClientSettings.Load(files.AuthorityPath, versions: version);
        Random random = new(20_261_122);
        int failed = 0;
        for (int round = 0; round < Rounds; round++)
            failed += Play(client, random) ? 1 : 0;
        Assert.InRange(failed, Rounds / 2, Rounds); // the others wait for a record that will never be complete
    }

    // True when the receiver detected the damage.
    private bool Play(TlsClientSettings settings, Random random)
    {
        (MemoryPipe clientEnd, MemoryPipe serverEnd) = MemoryPipe.CreatePair();
        using TlsPipe client = TlsPipe.ForClient(clientEnd, settings, "localhost", _pool);
        using TlsPipe server = TlsPipe.ForServer(serverEnd, files.Good, _pool);
        Assert.Equal((PipeStatus.Ready, PipeStatus.Ready), PipePump.OpenBoth(client, server, clientEnd, serverEnd));
        server.Receive(new byte[1], out _); // bytes that the client sent after its handshake

        MemoryStream sent = new();
        byte[][] records = [.. Enumerable.Range(0, Records).Select(_ => Encrypt(client, serverEnd, sent, random))];
        byte[] damaged = Damage(records, random);
        serverEnd.Inject(damaged);
        return ReceiveAll(server, sent.ToArray());
    }

    private static byte[] Encrypt(TlsPipe client, MemoryPipe serverEnd, MemoryStream sent, Random random)
    {
        byte[] data = new byte[random.Next(1, 900)];
        random.NextBytes(data);
        sent.Write(data);
        Assert.Equal(PipeStatus.Ready, client.Send(data, out _));
        return serverEnd.TakeAll();
    }

    private static byte[] Damage(byte[][] records, Random random)
    {
        int at = random.Next(records.Length - 1); // so that another record reveals that one is missing
        byte[] whole = [.. records.SelectMany(record => record)];
        switch (random.Next(4))
        {
            case 0: // repeated
                return [.. records[..(at + 1)].Append(records[at]).Concat(records[(at + 1)..]).SelectMany(record => record)];
            case 1: // omitted
                return [.. records.Where((_, i) => i != at).SelectMany(record => record)];
            case 2: // in another order
                (records[at], records[at + 1]) = (records[at + 1], records[at]);
                return [.. records.SelectMany(record => record)];
            default:
                byte[] damaged = whole;
                while (damaged.AsSpan().StartsWith(whole))
                    damaged = Fuzz.Mutation.Of(whole, random);
                return damaged;
        }
    }

    private static bool ReceiveAll(TlsPipe server, byte[] sent)
    {
        byte[] room = new byte[20_000];
        int received = 0;
        PipeStatus status = PipeStatus.Ready;
        for (int i = 0; i < 100 && status == PipeStatus.Ready; i++)
        {
            status = server.Receive(room, out int count);
            Assert.True(received + count <= sent.Length && sent.AsSpan(received, count).SequenceEqual(room.AsSpan(0, count)),
                "what was not sent came out");
            received += count;
        }

        Assert.NotEqual(PipeStatus.Ready, status);
        Assert.True(received < sent.Length || status == PipeStatus.Failed, "damage was not noticed");
        return status == PipeStatus.Failed;
    }
}
