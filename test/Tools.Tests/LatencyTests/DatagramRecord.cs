using System.Buffers.Binary;
using System.Net;
using LatencyPerf.Protocol;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>Keeps what one side of a test sends, each datagram in words.</summary>
internal sealed class DatagramRecord : IDatagramOutput
{
    /// <summary>Each datagram: to whom, kind, number, marks, and the body of those that have one.</summary>
    public List<string> Sent { get; } = [];

    public void Send(int peer, ReadOnlySpan<byte> datagram) => Sent.Add($"{peer}: {Describe(datagram)}");

    public void SendData(ReadOnlySpan<byte> datagram) => Sent.Add($"data: {Describe(datagram)}");

    public void Answer(PeerAddress to, ReadOnlySpan<byte> datagram) => Sent.Add($"{to.Text}: {Describe(datagram)}");

    public void Admit(int cookie, PeerAddress at)
    {
    }

    public void Release(int cookie)
    {
    }

    public bool IsReachable(int cookie) => true;

    public void UseGroup(IPEndPoint? group)
    {
    }

    /// <summary>Returns what was sent since the last call.</summary>
    public List<string> Take()
    {
        List<string> taken = [.. Sent];
        Sent.Clear();
        return taken;
    }

    /// <summary>A data packet of a number, as a publisher sends it.</summary>
    public static byte[] Data(ulong sequence, DatagramMarks marks = DatagramMarks.None, int bytes = 20, DatagramKind kind = DatagramKind.Data, int from = 0)
    {
        byte[] datagram = new byte[DatagramHeader.Bytes + bytes];
        new DatagramHeader(kind, 7, from, marks, ConversationPair.Session, bytes, sequence).Write(datagram);
        DataPacket.Fill(datagram.AsSpan(DatagramHeader.Bytes));
        DataPacket.Stamp(datagram.AsSpan(DatagramHeader.Bytes), sequence, 1_000 * (long)sequence);
        return datagram;
    }

    private static string Describe(ReadOnlySpan<byte> datagram)
    {
        Assert.True(DatagramHeader.TryRead(datagram, out DatagramHeader header));
        ReadOnlySpan<byte> body = datagram[DatagramHeader.Bytes..];
        string text = $"{header.Kind} {header.Sequence}" + (header.Marks == DatagramMarks.None ? "" : $" {header.Marks}");
        return header.Kind switch
        {
            DatagramKind.Nack => $"{text} [{BinaryPrimitives.ReadUInt64BigEndian(body):X}]",
            DatagramKind.Heartbeat => $"{text} [{BinaryPrimitives.ReadUInt64BigEndian(body)}-{BinaryPrimitives.ReadUInt64BigEndian(body[8..])}]",
            DatagramKind.Data or DatagramKind.Reply or DatagramKind.Prime or DatagramKind.Primed =>
                $"{text} [{body.Length}: {BinaryPrimitives.ReadUInt64BigEndian(body)} at {DataPacket.ReadSentNanos(body)}]",
            _ => text,
        };
    }
}
